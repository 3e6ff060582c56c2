import type { Disk } from '../directory/disk.ts'
import { journalEpochs } from '../directory/layout.ts'
import type { SnapshotFile } from '../snapshot/file.ts'
import { readLines } from '../snapshot/lines.ts'
import { StoreDamagedError } from '../store-errors.ts'
import type { Entry } from './entry.ts'
import { decodeFrame, type Frame, firstCrc, holdsFrameStart } from './frame.ts'
import type { JournalDeps, JournalEnd, Replayed } from './journal.ts'

export interface RecoverDeps extends Omit<JournalDeps, 'log'> {
  readonly snapshots: SnapshotFile
}

interface Recovered extends Replayed {
  /** The newest journal, if a crash came before its opening frame was complete: nothing was ever written into it. */
  readonly unstarted: { readonly epoch: number; readonly isEmpty: boolean } | undefined
}

/** What receives the entries that are read, in order. */
interface ReplayTarget {
  apply(entry: Entry): unknown
  /** For an entry of a journal, which the snapshot may contain already. */
  replay(entry: Entry): unknown
  /** Called after all entries that were written together. */
  strip(): unknown
}

/** Fills the tables from the snapshot and the journals after it. Only reads; throws unless every frame is there. */
export async function recover(deps: RecoverDeps, tables: ReplayTarget): Promise<Recovered> {
  const { disk, layout, storeId } = deps
  const snapshot = await deps.snapshots.read()
  if (snapshot.store_id !== storeId) {
    const problem = `it is of store ${snapshot.store_id}, but IDENT names ${storeId}`
    throw new StoreDamagedError(layout.snapshot, 0, problem)
  }
  for (const entry of snapshot.entities) tables.apply(entry)
  for (const entry of snapshot.local) tables.apply(entry)
  tables.strip()

  let end: JournalEnd = { epoch: snapshot.epoch, frame: snapshot.frame, crc: 0, size: 0 }
  let earlierBytes = 0
  let torn: Recovered['torn']
  let unstarted: Recovered['unstarted']
  const epochs = await epochsToReplay(deps, snapshot.epoch)
  for (const epoch of epochs) {
    const path = layout.journal(epoch)
    const start = { crc: firstCrc(storeId, epoch), lastFrame: end.frame }
    const scanned = await scanJournal({ disk, path }, start, ({ entries }) => {
      for (const entry of entries) tables.replay(entry)
      tables.strip()
    })
    const hasStarted = scanned.size > 0
    const isEmpty = !hasStarted && !scanned.isTorn
    if (torn !== undefined && !isEmpty) {
      const problem = 'its last frame is unreadable, but a later journal goes on from it'
      throw new StoreDamagedError(layout.journal(torn.epoch), torn.offset, problem)
    }
    if (hasStarted) {
      if (scanned.isTorn) torn = { epoch, offset: scanned.size }
      earlierBytes += end.size
      end = { epoch, frame: scanned.lastFrame, crc: scanned.crc, size: scanned.size }
    } else {
      // A snapshot names only a journal with an opening frame, and only such a journal is followed by another.
      if (epoch === snapshot.epoch || epoch !== epochs.at(-1)) {
        const problem = isEmpty ? 'it is empty, and was not' : 'the frame that it begins with is unreadable'
        throw new StoreDamagedError(path, 0, problem)
      }
      unstarted = { epoch, isEmpty }
    }
  }
  return { snapshotEpoch: snapshot.epoch, end, earlierBytes, torn, unstarted }
}

/** The epochs from the snapshot's on, without a gap. Earlier journals are leftovers of a compaction. */
async function epochsToReplay({ disk, layout }: RecoverDeps, first: number): Promise<number[]> {
  const epochs = journalEpochs(await disk.list(layout.directory)).filter((epoch) => epoch >= first)
  for (let epoch = first; epoch <= Math.max(first, epochs.at(-1) ?? first); epoch++) {
    if (!epochs.includes(epoch)) throw new StoreDamagedError(layout.journal(epoch), 0, 'it is missing')
  }
  return epochs
}

/**
 * Reads a journal and passes its frames on in order, from the crc and the number of the frame before. Throws when
 * anything but the last frame is damaged. Returns the bytes up to the end of the last whole frame as `size`, and as
 * `isTorn` whether others follow: as far as can be known, a write that a crash cut short.
 */
async function scanJournal(
  { disk, path }: { disk: Disk; path: string },
  start: { readonly crc: number; readonly lastFrame: number },
  onFrame: (frame: Frame) => void,
) {
  let { crc, lastFrame } = start
  let size = 0
  let isTorn = false

  for await (const lines of readLines(disk.read(path))) {
    for (const { bytes, offset } of lines) {
      const next = lastFrame + 1
      const frame = isTorn ? undefined : decodeFrame(bytes, crc)
      if (frame === undefined) {
        // A frame is written only when the one before it is durable. So if another frame begins after the damage,
        // complete or not, a crash cannot be the cause, and cutting here would lose acknowledged writes.
        if (holdsFrameStart(bytes, isTorn ? 0 : 1))
          throw new StoreDamagedError(path, size, `frame ${next} is unreadable, but others follow it`)
        isTorn = true
      } else {
        if (frame.number !== next) throw new StoreDamagedError(path, offset, `frame ${next} is missing`)
        onFrame(frame)
        crc = frame.crc
        lastFrame = frame.number
        size = offset + bytes.length
      }
    }
  }
  return { size, crc, lastFrame, isTorn }
}
