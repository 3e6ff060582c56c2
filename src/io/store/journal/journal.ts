import { isDiskFull } from '../../system/code.ts'
import type { Disk, DiskFile } from '../directory/disk.ts'
import type { Layout } from '../directory/layout.ts'
import { cutAt } from '../directory/whole-file.ts'
import { degraded, notKept, outcomeUnknown } from '../refusals.ts'
import type { StoreLog } from '../store-log.ts'
import { encodeFrame, openingFrame } from './frame.ts'
import { quarantine, type Torn } from './quarantine.ts'

/** Where a journal ends: all that is needed to append to it. */
export interface JournalEnd {
  readonly epoch: number
  /** Number of the newest frame, in this or an earlier epoch's journal. */
  readonly frame: number
  readonly crc: number
  /** The size of this epoch's file, in bytes. */
  readonly size: number
}

/** What was read from the journals at start. */
export interface Replayed {
  /** The first epoch whose content is not in the snapshot. */
  readonly snapshotEpoch: number
  readonly end: JournalEnd
  /** The size of all journals before the last one. */
  readonly earlierBytes: number
  /** Where the last frame is damaged, if it is. */
  readonly torn: Torn | undefined
}

export interface JournalDeps {
  readonly disk: Disk
  readonly layout: Layout
  readonly storeId: string
  readonly log: StoreLog
}

/** Appends frames to the file of the newest epoch, one after the other. */
export class Journal {
  readonly #deps: JournalDeps
  #file: DiskFile
  #end: JournalEnd
  /** The size of the earlier files whose content is not in a snapshot yet. */
  #earlierBytes: number
  /** The damaged end of the file, as long as it could not be moved to a quarantine file. */
  #torn: Torn | undefined
  #isDegraded = false

  /** Syncs all that was replayed: what a killed process wrote last can be readable without being on disk. */
  static async open(deps: JournalDeps, replayed: Replayed): Promise<Journal> {
    const { snapshotEpoch, end } = replayed
    for (let epoch = snapshotEpoch; epoch < end.epoch; epoch++) {
      const earlier = await deps.disk.open(deps.layout.journal(epoch))
      await earlier.sync()
      await earlier.close()
    }
    const file = await deps.disk.open(deps.layout.journal(end.epoch))
    await file.sync()
    const journal = new Journal(deps, file, replayed)
    // The damaged end is cut off only when a copy of it is safe. Reading is possible before that.
    await journal.#quarantineTorn().catch(async (error) => {
      if (!isDiskFull(error)) {
        await file.close()
        throw error
      }
      deps.log.warn({ err: error }, 'no room to set the damaged last frame aside; no writes until there is')
    })
    return journal
  }

  private constructor(deps: JournalDeps, file: DiskFile, replayed: Replayed) {
    this.#deps = deps
    this.#file = file
    this.#end = replayed.end
    this.#earlierBytes = replayed.earlierBytes
    this.#torn = replayed.torn
  }

  get end(): JournalEnd {
    return this.#end
  }

  /** How much a restart would have to replay. */
  get bytes(): number {
    return this.#earlierBytes + this.#end.size
  }

  get isDegraded(): boolean {
    return this.#isDegraded
  }

  /**
   * Returns when the frame is durable. Otherwise throws the Fault for the callers, and the journal ends where it did
   * before.
   */
  async write(entries: readonly string[]): Promise<void> {
    await this.#assertWritable()
    const { epoch, size } = this.#end
    const number = this.#end.frame + 1
    const { bytes, crc } = encodeFrame(number, entries, this.#end.crc)
    await this.#append(this.#file, bytes, size)
    this.#end = { epoch, frame: number, crc, size: size + bytes.length }
  }

  /**
   * Begins the file of the next epoch. To be called only between frames, so that a file of a later epoch proves that
   * the frames before it are whole. Returns the new epoch and the newest frame before it.
   */
  async rotate(): Promise<{ epoch: number; frame: number }> {
    await this.#assertWritable()
    const { disk, layout, storeId } = this.#deps
    const { frame } = this.#end
    const epoch = this.#end.epoch + 1
    const path = layout.journal(epoch)
    const { bytes, crc } = openingFrame(storeId, epoch, frame + 1)
    await disk.remove(path)
    const next = await disk.create(path)
    try {
      await disk.syncDirectory(layout.directory)
      // If the disk is full, frames still go into the old file: then the new one is empty and does not seem to follow.
      await this.#append(next, bytes, 0)
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

  /** Appends to a file of this size, durably; what cannot be written as a whole is cut off again. */
  async #append(file: DiskFile, bytes: Uint8Array, size: number): Promise<void> {
    try {
      await file.append(bytes)
    } catch (error) {
      await cutAt(file, size).catch((cause) => this.#giveUp(cause))
      throw notKept(error)
    }
    // After a failed sync the kernel may drop the pages and report success next time: never try again.
    await file.sync().catch((cause) => this.#giveUp(cause))
  }

  /** To be called when a snapshot holds everything from before this epoch. */
  forgetEarlier(): void {
    this.#earlierBytes = 0
  }

  close(): Promise<void> {
    return this.#file.close()
  }

  async #assertWritable(): Promise<void> {
    if (this.#isDegraded) throw degraded()
    await this.#quarantineTorn().catch((error) => {
      if (isDiskFull(error)) throw notKept(error)
      this.#endWriting(error)
      throw degraded()
    })
  }

  async #quarantineTorn(): Promise<void> {
    const torn = this.#torn
    if (torn === undefined) return
    const { disk, layout, log } = this.#deps
    const keptAs = await quarantine(disk, layout, torn)
    this.#torn = undefined
    log.warn({ keptAs, ...torn }, 'the last frame of the journal was damaged and has been set aside')
  }

  #giveUp(cause: unknown): never {
    this.#endWriting(cause)
    throw outcomeUnknown(cause)
  }

  #endWriting(cause: unknown): void {
    this.#isDegraded = true
    this.#deps.log.error(
      { err: cause, epoch: this.#end.epoch },
      'the journal cannot be synced; no more writes until a restart',
    )
  }
}
