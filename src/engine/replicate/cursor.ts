import { type Checkpoint, upTo, withCheckpoint } from '../../domain/checkpoint.ts'
import type { LinkState, Peer } from '../../domain/model.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** How far one cacpd has what is here: up to where, since when, and how often it noted that. */
export class Cursor {
  #acked: number
  #checkpoints: readonly Checkpoint[]
  #noted: number
  #beside: number
  #marked = 0
  /** The last seq that the peer noted, of whichever copy of our store. */
  #theirs = 0

  constructor(saved: LinkState | undefined, { repo_name }: Pick<Peer, 'repo_name'>) {
    // As another repo it may see what was passed by before.
    this.#acked = saved?.repo_name === repo_name ? (saved?.acked_seq ?? 0) : 0
    this.#checkpoints = upTo(saved?.checkpoints ?? [], this.#acked)
    this.#noted = saved?.noted ?? 0
    this.#beside = saved?.beside ?? 0
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
   * than we know of is an older copy of itself; if it took something beside the order since, its mark does not tell
   * what is missing, and it gets everything. Returns whether that was a step back.
   */
  goOnFrom(received: number, count: number): boolean {
    const isOlderCopy = count < this.#noted
    const before = this.#acked
    this.#acked = count < this.#beside ? 0 : Math.min(before, received)
    this.#marked = this.#acked
    this.#theirs = received
    this.#noted = count
    this.#beside = Math.min(this.#beside, count)
    this.#checkpoints = upTo(this.#checkpoints, this.#acked)
    return isOlderCopy || this.#acked < before
  }

  moveTo(seq: number, { at, isMarked }: { at: Stamp; isMarked: boolean }): void {
    this.#acked = seq
    if (isMarked) {
      this.#marked = seq
      this.#theirs = Math.max(this.#theirs, seq)
    }
    this.#checkpoints = withCheckpoint(this.#checkpoints, { seq, at })
  }

  /** Whether a mark up to this seq tells of all these: it lies before none of them, and moves. */
  isInOrder(changes: readonly { readonly seq: number }[], seq: number): boolean {
    if (changes.length === 0) return true
    return seq > this.#theirs && changes.every((change) => change.seq > this.#theirs)
  }

  /** Answers may overtake each other; what the peer has only grows with its count. */
  heardOf(count: number, { isInOrder }: { isInOrder: boolean }): void {
    this.#noted = Math.max(this.#noted, count)
    if (!isInOrder) this.#beside = Math.max(this.#beside, count)
  }

  state(): Pick<LinkState, 'acked_seq' | 'checkpoints' | 'noted' | 'beside'> {
    return {
      acked_seq: this.#acked,
      checkpoints: this.#checkpoints,
      noted: this.#noted,
      beside: this.#beside,
    }
  }
}
