import type { Stamp } from '../../protocol/stamp.ts'

/** The time at which a peer had everything up to a change of this store. */
export interface Checkpoint {
  readonly seq: number
  readonly at: Stamp
}

const MOST_CHECKPOINTS = 64

/** Adds a checkpoint. If there are too many, every second one of the older half goes: older times become coarser. */
export function withCheckpoint(known: readonly Checkpoint[], next: Checkpoint): readonly Checkpoint[] {
  const all = [...upTo(known, next.seq - 1), next]
  return all.length <= MOST_CHECKPOINTS
    ? all
    : all.filter((_, index) => index >= MOST_CHECKPOINTS / 2 || index % 2 === 1)
}

/** The checkpoints that remain valid if the peer has only this much. */
export const upTo = (known: readonly Checkpoint[], seq: number): readonly Checkpoint[] =>
  known.filter((one) => one.seq <= seq)

/** The latest time at which the peer got this change. */
export function reachedAt(known: readonly Checkpoint[], seq: number): Stamp | undefined {
  return known.find((one) => one.seq >= seq)?.at
}
