import type { DiffRow } from './rows.ts'

/** Rows that are shown, or rows without a difference that are folded away. */
export interface Stretch {
  readonly isFolded: boolean
  readonly rows: readonly DiffRow[]
}

/** Rows shown before and after each difference. */
const AROUND = 3

/** Folds what is the same away, but for what is close to a difference. */
export function foldRows(rows: readonly DiffRow[]): readonly Stretch[] {
  const isNear = new Uint8Array(rows.length)
  for (const [at, { is }] of rows.entries())
    if (is !== 'same') isNear.fill(1, Math.max(0, at - AROUND), at + AROUND + 1)
  const stretches: { isFolded: boolean; rows: DiffRow[] }[] = []
  for (const [at, row] of rows.entries()) {
    const isFolded = isNear[at] === 0
    const last = stretches.at(-1)
    if (last?.isFolded === isFolded) last.rows.push(row)
    else stretches.push({ isFolded, rows: [row] })
  }
  // A fold of one row would take as much place as the row.
  return stretches.map((one) => (one.rows.length === 1 ? { ...one, isFolded: false } : one))
}
