import type { Difference, Likely, Sender } from '../model.ts'

/** Receives the changes of the forms that are compared by rules of their own instead of by schemas. */
export type Tell = (found: Difference, at: string, sender: Sender) => void

export const change = (
  kind: string,
  narrows: Likely,
  widens: Likely,
  more: Partial<Difference> = {},
): Difference => ({
  path: '',
  kind,
  narrows,
  widens,
  ...more,
})
