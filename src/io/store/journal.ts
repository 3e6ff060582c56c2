import type { Disk, DiskFile } from './disk.ts'
import { encodeFrame, openingFrame } from './frame.ts'
import type { Layout } from './layout.ts'
import { degraded, diskFull, outcomeUnknown } from './refusals.ts'
import type { StoreLog } from './store-log.ts'

/** Where a journal ends: all that is needed to go on writing it. */
export interface JournalEnd {
  readonly epoch: number
  /** Number of the newest frame, in this or an earlier epoch's journal. */
  readonly frame: number
  readonly crc: number
  /** Of this epoch's file, in bytes. */
  readonly size: number
}

/** What of the journals has been read at start. */
export interface Replayed {
  /** The first one whose content is not in the snapshot. */
  readonly snapshotEpoch: number
  readonly end: JournalEnd
  /** Of those before the last one. */
  readonly earlierBytes: number
}

export interface JournalDeps {
  readonly disk: Disk
  readonly layout: Layout
  readonly storeId: string
  readonly log: StoreLog
}

/** Writes frames, one after the other, into the newest epoch's file. */
export class Journal {
  readonly #deps: JournalDeps
  #file: DiskFile
  #end: JournalEnd
  /** Of the files before this one whose content is not in a snapshot yet. */
  #earlierBytes: number
  #isDegraded = false

  /** What a killed process wrote last can be read without being on disk, so all that was replayed is synced. */
  static async open(deps: JournalDeps, replayed: Replayed): Promise<Journal> {
    const { snapshotEpoch, end } = replayed
    for (let epoch = snapshotEpoch; epoch < end.epoch; epoch++) {
      const earlier = await deps.disk.open(deps.layout.journal(epoch))
      await earlier.sync()
      await earlier.close()
    }
    const file = await deps.disk.open(deps.layout.journal(end.epoch))
    await file.sync()
    return new Journal(deps, file, replayed)
  }

  private constructor(deps: JournalDeps, file: DiskFile, replayed: Replayed) {
    this.#deps = deps
    this.#file = file
    this.#end = replayed.end
    this.#earlierBytes = replayed.earlierBytes
  }

  get end(): JournalEnd {
    return this.#end
  }

  /** What a restart would have to replay. */
  get bytes(): number {
    return this.#earlierBytes + this.#end.size
  }

  get isDegraded(): boolean {
    return this.#isDegraded
  }

  /** Returns when the frame is durable. Throws the Fault to tell callers; the journal then ends as before. */
  async write(entries: readonly string[]): Promise<void> {
    if (this.#isDegraded) throw degraded()
    const { epoch, size } = this.#end
    const number = this.#end.frame + 1
    const { bytes, crc } = encodeFrame(number, entries, this.#end.crc)
    try {
      await this.#file.append(bytes)
    } catch (error) {
      await this.#file.truncate(size).catch((cause) => this.#giveUp(cause))
      throw diskFull(error)
    }
    // After a failed sync the kernel may drop the pages and report success next time: never try again.
    await this.#file.sync().catch((cause) => this.#giveUp(cause))
    this.#end = { epoch, frame: number, crc, size: size + bytes.length }
  }

  /**
   * Begins the next epoch's file. Only between frames, so that its content means that the last one is whole.
   * Returns the epoch and the newest frame before it.
   */
  async rotate(): Promise<{ epoch: number; frame: number }> {
    if (this.#isDegraded) throw degraded()
    const { disk, layout, storeId } = this.#deps
    const { frame } = this.#end
    const epoch = this.#end.epoch + 1
    const path = layout.journal(epoch)
    const { bytes, crc } = openingFrame(storeId, epoch, frame + 1)
    await disk.remove(path)
    const next = await disk.create(path)
    try {
      await disk.syncDirectory(layout.directory)
      await this.#begin(next, bytes)
    } catch (error) {
      await next.close()
      throw error
    }
    const finished = this.#file
    this.#earlierBytes += this.#end.size
    this.#file = next
    this.#end = { epoch, frame: frame + 1, crc, size: bytes.length }
    await finished.close()
    return { epoch, frame }
  }

  /** When there is no room, frames still go into the old file, and the new one must not seem to follow them. */
  async #begin(next: DiskFile, opening: Uint8Array): Promise<void> {
    try {
      await next.append(opening)
    } catch (error) {
      await emptied(next).catch((cause) => this.#giveUp(cause))
      throw diskFull(error)
    }
    await next.sync().catch((cause) => this.#giveUp(cause))
  }

  /** A snapshot now holds everything from before this epoch. */
  forgetEarlier(): void {
    this.#earlierBytes = 0
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  #giveUp(cause: unknown): never {
    this.#isDegraded = true
    this.#deps.log.error(
      { err: cause, epoch: this.#end.epoch },
      'the journal cannot be synced; no more writes until a restart',
    )
    throw outcomeUnknown(cause)
  }
}

async function emptied(file: DiskFile): Promise<void> {
  await file.truncate(0)
  await file.sync()
}
