import type { Difference } from '../model.ts'

/** Differences that were found inside, told from outside. */
export const under = (path: string, found: readonly Difference[]): Difference[] =>
  found.map((one) => ({ ...one, path: path + one.path }))
