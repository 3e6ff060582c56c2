import type { Budget } from './budget.ts'
import type { Difference, Likely, Sender } from './model.ts'

/** A difference at the place that was compared, unless `more` has a path from there. */
export const change = (
  kind: string,
  narrows: Likely,
  widens: Likely,
  more: Partial<Difference> = {},
): Difference => ({ path: '', kind, narrows, widens, ...more })

/** One of which nobody can say whom it hurts. */
export const unsure = (kind: string, more: Partial<Difference> = {}): Difference =>
  change(kind, 'unsure', 'unsure', more)

/** Receives the changes of the forms that are compared by rules of their own instead of by schemas. */
export type Tell = (found: Difference, at: string, sender: Sender) => void

export interface Telling {
  readonly tell: Tell
  readonly budget: Budget
}
