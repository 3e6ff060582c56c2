import { upTo, withCheckpoint } from '../../../domain/feed/checkpoint.ts'
import type { LinkState } from '../../../domain/model.ts'
import type { Stamp } from '../../../protocol/stamp.ts'

/** How far one cacpd has what is here, and since when. Where it is wrong, comparing digests mends that. */
export function createCursor(saved: LinkState | undefined) {
  let { store_id, acked_seq = 0, checkpoints = [] }: Partial<LinkState> = saved ?? {}

  return {
    /** Everything up to this statement is durable there, or was refused. */
    get acked(): number {
      return acked_seq
    },

    /**
     * Another store has nothing of ours; and ours may have been restored from a backup, and be shorter than it was.
     * Returns whether it is another one.
     */
    goOnWith(storeId: string, seq: number): boolean {
      const isAnother = storeId !== store_id
      acked_seq = isAnother ? 0 : Math.min(acked_seq, seq)
      store_id = storeId
      checkpoints = upTo(checkpoints, acked_seq)
      return isAnother
    },

    moveTo(seq: number, at: Stamp): void {
      acked_seq = seq
      checkpoints = withCheckpoint(checkpoints, { seq, at })
    },

    state: (): Pick<LinkState, 'store_id' | 'acked_seq' | 'checkpoints'> => ({
      ...(store_id === undefined ? {} : { store_id }),
      acked_seq,
      checkpoints,
    }),
  }
}
