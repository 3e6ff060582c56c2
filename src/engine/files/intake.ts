import { type Self, seesEverything } from '../../domain/env.ts'
import { doubtedMentionsBefore, type Speaker } from '../../domain/files/shared-file.ts'
import {
  bytesUploadedBy,
  LEAST_COUNTED_BYTES,
  type Party,
  partyOf,
  uploadChange,
} from '../../domain/files/upload.ts'
import type { StoredFile } from '../../domain/view.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Parts } from '../parts.ts'
import type { Clock } from '../ports/ports.ts'
import type { FileRules } from './rules.ts'

export interface FileIntakeDeps extends Pick<Parts, 'files' | 'store'>, Pick<FileRules, 'bytesPerCaller'> {
  readonly clock: Pick<Clock, 'now'>
  readonly self: Pick<Self, 'signer'>
}

export interface FileSource {
  /** Who brings the bytes. */
  readonly party: Party & Speaker
  /** For a file that a local caller wants: no limit but that of the store. */
  readonly isUnbounded?: boolean
  /** The hash that the bytes must have, when they were requested by it. */
  readonly expected?: string
}

/** A file that is being received. */
interface Transfer {
  readonly party: Party
  bytes: number
}

export type FileIntake = ReturnType<typeof createFileIntake>

/** The only way to store a file: remembers who brought it, and limits how much each caller may bring. */
export function createFileIntake({ files, store, clock, self, bytesPerCaller }: FileIntakeDeps) {
  const transfers = new Set<Transfer>()
  return { put }

  async function put(
    source: AsyncIterable<Uint8Array>,
    { party, isUnbounded = false, expected }: FileSource,
  ): Promise<StoredFile> {
    const share = isUnbounded || seesEverything(party) ? Number.POSITIVE_INFINITY : bytesPerCaller
    const transfer = { party, bytes: 0 }
    transfers.add(transfer)
    try {
      const stored = await files.put(within(share, source, transfer), LIMITS.fileBytes, expected)
      await store.commit((view) => {
        // From here on it counts as stored.
        transfers.delete(transfer)
        const known = { bringer: party, ownKey: self.signer.keyId }
        const doubts = expected === undefined ? doubtedMentionsBefore(view, stored, known) : []
        return { result: undefined, local: [...doubts, uploadChange(stored, party, clock.now())] }
      })
      return stored
    } finally {
      transfers.delete(transfer)
    }
  }

  async function* within(
    share: number,
    source: AsyncIterable<Uint8Array>,
    transfer: Transfer,
  ): AsyncGenerator<Uint8Array> {
    const { party } = transfer
    const stored = () => (share === Number.POSITIVE_INFINITY ? 0 : bytesUploadedBy(store.view, party))
    const assertWithin = (storedBytes: number) => {
      if (storedBytes + bytesFrom(party) <= share) return
      // Gone at once, so that it takes no room from other transfers of this party.
      transfers.delete(transfer)
      throw shareUsedUp(party, share)
    }
    const before = stored()
    for await (const chunk of source) {
      transfer.bytes += chunk.length
      assertWithin(before)
      yield chunk
    }
    transfer.bytes = Math.max(transfer.bytes, LEAST_COUNTED_BYTES)
    // Other files of this party may have been stored meanwhile: they are no longer being received, and were not
    // stored when `before` was computed.
    assertWithin(stored())
  }

  /** How many bytes of all files of a party are being received. */
  function bytesFrom(party: Party): number {
    const by = partyOf(party)
    let bytes = 0
    for (const other of transfers) if (partyOf(other.party) === by) bytes += other.bytes
    return bytes
  }
}

const shareUsedUp = ({ agentId }: Party, share: number): Fault =>
  new Fault(
    'storage_full',
    `The files that ${agentId} brought here would be more than ${share} bytes together`,
    {
      next: 'Take back packets that name files which nobody needs any more, or ask the operator here to raise fileBytesPerCaller',
      data: { bytesPerCaller: share },
    },
  )
