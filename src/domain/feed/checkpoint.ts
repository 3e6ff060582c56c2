import type { Stamp } from '../../protocol/stamp.ts'

/** When a peer had everything up to a change of ours. */
export interface Checkpoint {
  readonly seq: number
  readonly at: Stamp
}

/** The most that are kept of one peer. */
const MOST = 64

/** With another one at the end. Of many, every second of the older half is left out: the further back, the coarser. */
export function withCheckpoint(known: readonly Checkpoint[], next: Checkpoint): readonly Checkpoint[] {
  const all = [...upTo(known, next.seq - 1), next]
  return all.length <= MOST ? all : all.filter((_, index) => index >= MOST / 2 || index % 2 === 1)
}

/** Those that still hold where the peer has only this much. */
export const upTo = (known: readonly Checkpoint[], seq: number): readonly Checkpoint[] =>
  known.filter((one) => one.seq <= seq)

/** When the peer had this change at the latest. */
export function reachedAt(known: readonly Checkpoint[], seq: number): Stamp | undefined {
  return known.find((one) => one.seq >= seq)?.at
}
