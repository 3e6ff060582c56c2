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

export type Journal = Awaited<ReturnType<typeof openJournal>>

/**
 * Appends frames to the file of the newest epoch, one after the other. Syncs all that was replayed: what a killed
 * process wrote last can be readable without being on disk.
 */
export async function openJournal({ disk, layout, storeId, log }: JournalDeps, replayed: Replayed) {
  let { end, earlierBytes, torn } = replayed
  let isDegraded = false
  for (let epoch = replayed.snapshotEpoch; epoch < end.epoch; epoch++) {
    const earlier = await disk.open(layout.journal(epoch))
    await earlier.sync()
    await earlier.close()
  }
  let file = await disk.open(layout.journal(end.epoch))
  await file.sync()
  // The damaged end is cut off only when a copy of it is safe. Reading is possible before that.
  await quarantineTorn().catch(async (error) => {
    if (!isDiskFull(error)) {
      await file.close()
      throw error
    }
    log.warn({ err: error }, 'no room to set the damaged last frame aside; no writes until there is')
  })

  /** Appends to a file of this size, durably; what cannot be written as a whole is cut off again. */
  async function append(to: DiskFile, bytes: Uint8Array, size: number): Promise<void> {
    try {
      await to.append(bytes)
    } catch (error) {
      await cutAt(to, size).catch(giveUp)
      throw notKept(error)
    }
    // After a failed sync the kernel may drop the pages and report success next time: never try again.
    await to.sync().catch(giveUp)
  }

  async function assertWritable(): Promise<void> {
    if (isDegraded) throw degraded()
    await quarantineTorn().catch((error) => {
      if (isDiskFull(error)) throw notKept(error)
      endWriting(error)
      throw degraded()
    })
  }

  async function quarantineTorn(): Promise<void> {
    if (torn === undefined) return
    const about = torn
    const keptAs = await quarantine(disk, layout, about)
    torn = undefined
    log.warn({ keptAs, ...about }, 'the last frame of the journal was damaged and has been set aside')
  }

  function giveUp(cause: unknown): never {
    endWriting(cause)
    throw outcomeUnknown(cause)
  }

  function endWriting(cause: unknown): void {
    isDegraded = true
    log.error(
      { err: cause, epoch: end.epoch },
      'the journal cannot be synced; no more writes until a restart',
    )
  }

  return {
    /** How much a restart would have to replay. */
    get bytes() {
      return earlierBytes + end.size
    },
    get isDegraded() {
      return isDegraded
    },
    /**
     * Returns when the frame is durable. Otherwise throws the Fault for the callers, and the journal ends where it did
     * before.
     */
    async write(entries: readonly string[]): Promise<void> {
      await assertWritable()
      const { epoch, size } = end
      const frame = end.frame + 1
      const { bytes, crc } = encodeFrame(frame, entries, end.crc)
      await append(file, bytes, size)
      end = { epoch, frame, crc, size: size + bytes.length }
    },
    /**
     * Begins the file of the next epoch. To be called only between frames, so that a file of a later epoch proves that
     * the frames before it are whole. Returns the new epoch and the newest frame before it.
     */
    async rotate(): Promise<{ epoch: number; frame: number }> {
      await assertWritable()
      const { frame } = end
      const epoch = end.epoch + 1
      const path = layout.journal(epoch)
      const { bytes, crc } = openingFrame(storeId, epoch, frame + 1)
      await disk.remove(path)
      const next = await disk.create(path)
      try {
        await disk.syncDirectory(layout.directory)
        // If the disk is full, frames still go into the old file: then the new one is empty and does not seem to follow.
        await append(next, bytes, 0)
      } catch (error) {
        await next.close()
        throw error
      }
      const finished = file
      earlierBytes += end.size
      file = next
      end = { epoch, frame: frame + 1, crc, size: bytes.length }
      await finished.close()
      return { epoch, frame }
    },
    /** To be called when a snapshot holds everything from before this epoch. */
    forgetEarlier(): void {
      earlierBytes = 0
    },
    close: (): Promise<void> => file.close(),
  }
}
