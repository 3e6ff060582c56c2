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
import type { Clock, Files, Store } from '../ports/ports.ts'

export interface FileIntakeDeps {
  readonly files: Files
  readonly store: Store
  readonly clock: Pick<Clock, 'now'>
  readonly self: Pick<Self, 'signer'>
  /** How many bytes all files of one caller may have together. */
  readonly bytesPerCaller: number
}

export interface FileSource {
  /** Who brings the bytes. */
  readonly party: Party & Speaker
  /** For a file that a local caller wants: no limit but that of the store. */
  readonly isUnbounded?: boolean
  /** The hash that the bytes must have, when they were requested by it. */
  readonly expected?: string
}

/** The bytes of one file that is being received. */
interface Incoming {
  /** Returns how many bytes of its party are being received in all. */
  add(bytes: number): number
  /** Ends the count of this file and returns the same. */
  end(): number
  /** The file is stored, or its transfer failed. */
  clear(): void
}

/** The only way to store a file: remembers who brought it, and limits how much each caller may bring. */
export class FileIntake {
  readonly #deps: FileIntakeDeps
  /** Bytes being received, by who brings them. */
  readonly #incoming = new Map<string, number>()

  constructor(deps: FileIntakeDeps) {
    this.#deps = deps
  }

  async put(
    source: AsyncIterable<Uint8Array>,
    { party, isUnbounded = false, expected }: FileSource,
  ): Promise<StoredFile> {
    const { files, store, clock, self } = this.#deps
    const share = isUnbounded || seesEverything(party) ? Number.POSITIVE_INFINITY : this.#deps.bytesPerCaller
    const incoming = this.#incomingFrom(party)
    try {
      const stored = await files.put(
        this.#within(share, source, { party, incoming }),
        LIMITS.fileBytes,
        expected,
      )
      await store.commit((view) => {
        // From here on it counts as stored.
        incoming.clear()
        const known = { bringer: party, ownKey: self.signer.keyId }
        const doubts = expected === undefined ? doubtedMentionsBefore(view, stored, known) : []
        return { result: undefined, local: [...doubts, uploadChange(stored, party, clock.now())] }
      })
      return stored
    } finally {
      incoming.clear()
    }
  }

  async *#within(
    share: number,
    source: AsyncIterable<Uint8Array>,
    { party, incoming }: { party: Party; incoming: Incoming },
  ): AsyncGenerator<Uint8Array> {
    const kept = () =>
      share === Number.POSITIVE_INFINITY ? 0 : bytesUploadedBy(this.#deps.store.view, party)
    const assertWithin = (bytes: number) => {
      if (bytes <= share) return
      // Cleared at once, so that it takes no room from other transfers of this party.
      incoming.clear()
      throw shareUsedUp(party, share)
    }
    const before = kept()
    for await (const chunk of source) {
      assertWithin(before + incoming.add(chunk.length))
      yield chunk
    }
    // Other files of this party may have been stored meanwhile: they are no longer being received, and were not
    // stored when `before` was computed.
    assertWithin(kept() + incoming.end())
  }

  #incomingFrom(party: Party): Incoming {
    let own = 0
    const add = (bytes: number) => {
      own += bytes
      return this.#count(party, bytes)
    }
    return {
      add,
      end: () => add(Math.max(0, LEAST_COUNTED_BYTES - own)),
      clear: () => {
        this.#count(party, -own)
        own = 0
      },
    }
  }

  #count(party: Party, bytes: number): number {
    const by = partyOf(party)
    const incoming = (this.#incoming.get(by) ?? 0) + bytes
    if (incoming === 0) this.#incoming.delete(by)
    else this.#incoming.set(by, incoming)
    return incoming
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
