import { type Checkpoint, upTo, withCheckpoint } from '../../../domain/feed/checkpoint.ts'
import type { LinkState } from '../../../domain/model.ts'
import type { Stamp } from '../../../protocol/stamp.ts'

/** How far one cacpd has what is here, and since when. Where it is wrong, comparing digests mends that. */
export class Cursor {
  #storeId: string | undefined
  #acked: number
  #checkpoints: readonly Checkpoint[]

  constructor(saved: LinkState | undefined) {
    this.#storeId = saved?.store_id
    this.#acked = saved?.acked_seq ?? 0
    this.#checkpoints = saved?.checkpoints ?? []
  }

  /** Everything up to this statement is durable there, or was refused. */
  get acked(): number {
    return this.#acked
  }

  /**
   * Another store has nothing of ours; and ours may have been restored from a backup, and be shorter than it was.
   * Returns whether it is another one.
   */
  goOnWith(storeId: string, seq: number): boolean {
    const isAnother = storeId !== this.#storeId
    this.#acked = isAnother ? 0 : Math.min(this.#acked, seq)
    this.#storeId = storeId
    this.#checkpoints = upTo(this.#checkpoints, this.#acked)
    return isAnother
  }

  moveTo(seq: number, at: Stamp): void {
    this.#acked = seq
    this.#checkpoints = withCheckpoint(this.#checkpoints, { seq, at })
  }

  state(): Pick<LinkState, 'store_id' | 'acked_seq' | 'checkpoints'> {
    return {
      ...(this.#storeId === undefined ? {} : { store_id: this.#storeId }),
      acked_seq: this.#acked,
      checkpoints: this.#checkpoints,
    }
  }
}
