import { type Checkpoint, upTo, withCheckpoint } from '../../domain/checkpoint.ts'
import type { LinkState, Peer } from '../../domain/model.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** How far one cacpd has what is here: up to where, since when, and how often it noted that. */
export class Cursor {
  #acked: number
  #checkpoints: readonly Checkpoint[]
  #noted: number
  #marked = 0

  constructor(saved: LinkState | undefined, { repo_name }: Pick<Peer, 'repo_name'>) {
    // As another repo it may see what was passed by before.
    this.#acked = saved?.repo_name === repo_name ? (saved?.acked_seq ?? 0) : 0
    this.#checkpoints = upTo(saved?.checkpoints ?? [], this.#acked)
    this.#noted = saved?.noted ?? 0
  }

  /** Everything up to this change is durable there, or set aside here. */
  get acked(): number {
    return this.#acked
  }

  /** The last seq that the peer noted. Behind the cursor when it may not see what came since. */
  get marked(): number {
    return this.#marked
  }

  /**
   * The peer may have been restored from a backup, or we: the smaller of both memories is right. One that counts less
   * than we know of is an older copy of itself, and nobody knows which of all that it took beside the order is in it.
   * Returns whether that was a step back.
   */
  goOnFrom(received: number, count: number): boolean {
    const isOlderCopy = count < this.#noted
    const before = this.#acked
    this.#acked = isOlderCopy ? 0 : Math.min(before, received)
    this.#marked = this.#acked
    this.#noted = count
    this.#checkpoints = upTo(this.#checkpoints, this.#acked)
    return isOlderCopy || this.#acked < before
  }

  moveTo(seq: number, { at, isMarked }: { at: Stamp; isMarked: boolean }): void {
    this.#acked = seq
    if (isMarked) this.#marked = seq
    this.#checkpoints = withCheckpoint(this.#checkpoints, { seq, at })
  }

  /** Answers may overtake each other; what the peer has only grows with its count. */
  heardOf(count: number): void {
    this.#noted = Math.max(this.#noted, count)
  }

  state(): Pick<LinkState, 'acked_seq' | 'checkpoints' | 'noted'> {
    return { acked_seq: this.#acked, checkpoints: this.#checkpoints, noted: this.#noted }
  }
}
