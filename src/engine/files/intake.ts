import { isHomeCaller, type Self } from '../../domain/env.ts'
import { namingsBefore, type Speaker } from '../../domain/files/shared-file.ts'
import {
  broughtChange,
  bytesBroughtBy,
  LEAST_COUNTED,
  type Party,
  partyOf,
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
  /** What all files together may be that one caller brought. */
  readonly bytesPerCaller: number
}

export interface Intake {
  /** Who brings the bytes. */
  readonly party: Party & Speaker
  /** Of files that somebody at home here wants: as many as the store takes. */
  readonly isUnbounded?: boolean
  /** The hash that they must have: somebody was asked for them by it. */
  readonly expected?: string
}

/** The bytes of one file that is on its way in. */
interface Coming {
  /** Answers how many there are of all that its party brings now. */
  add(bytes: number): number
  /** The same when it has come to its end. */
  end(): number
  /** They are here, or do not come. */
  clear(): void
}

/** The one way in for files: whoever brings one is remembered, and none brings more than its share. */
export class FileIntake {
  readonly #deps: FileIntakeDeps
  /** What is still on its way in, by who brings it. */
  readonly #coming = new Map<string, number>()

  constructor(deps: FileIntakeDeps) {
    this.#deps = deps
  }

  async put(
    source: AsyncIterable<Uint8Array>,
    { party, isUnbounded = false, expected }: Intake,
  ): Promise<StoredFile> {
    const { files, store, clock, self } = this.#deps
    const share = isUnbounded || isHomeCaller(party) ? Number.POSITIVE_INFINITY : this.#deps.bytesPerCaller
    const coming = this.#comingFrom(party)
    try {
      const stored = await files.put(
        this.#within(share, source, { party, coming }),
        LIMITS.fileBytes,
        expected,
      )
      await store.commit((view) => {
        // From here on it counts among those that are there.
        coming.clear()
        const known = { bringer: party, ownKey: self.signer.keyId }
        const doubts = expected === undefined ? namingsBefore(view, stored, known) : []
        return { result: undefined, local: [...doubts, broughtChange(stored, party, clock.now())] }
      })
      return stored
    } finally {
      coming.clear()
    }
  }

  async *#within(
    share: number,
    source: AsyncIterable<Uint8Array>,
    { party, coming }: { party: Party; coming: Coming },
  ): AsyncGenerator<Uint8Array> {
    const kept = () => (share === Number.POSITIVE_INFINITY ? 0 : bytesBroughtBy(this.#deps.store.view, party))
    const assertWithin = (bytes: number) => {
      if (bytes <= share) return
      // At once, so that it takes no room from others.
      coming.clear()
      throw shareUsedUp(party, share)
    }
    const before = kept()
    for await (const chunk of source) {
      assertWithin(before + coming.add(chunk.length))
      yield chunk
    }
    // Others that came to their end meanwhile are not on their way any more, and were not there before.
    assertWithin(kept() + coming.end())
  }

  #comingFrom(party: Party): Coming {
    let own = 0
    const add = (bytes: number) => {
      own += bytes
      return this.#count(party, bytes)
    }
    return {
      add,
      end: () => add(Math.max(0, LEAST_COUNTED - own)),
      clear: () => {
        this.#count(party, -own)
        own = 0
      },
    }
  }

  #count(party: Party, bytes: number): number {
    const by = partyOf(party)
    const coming = (this.#coming.get(by) ?? 0) + bytes
    if (coming === 0) this.#coming.delete(by)
    else this.#coming.set(by, coming)
    return coming
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
