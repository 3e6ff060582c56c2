import type { Disk } from '../directory/disk.ts'
import { journalEpochs, type Layout } from '../directory/layout.ts'
import type { SnapshotFile } from '../snapshot/file.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { StoreDamagedError } from '../store-errors.ts'
import type { Entry } from './entry.ts'
import { firstCrc } from './frame.ts'
import type { JournalEnd, Replayed } from './journal.ts'
import { type Scanned, scanJournal } from './scan-journal.ts'

export interface RecoverDeps {
  readonly disk: Disk
  readonly layout: Layout
  readonly snapshots: SnapshotFile
  readonly storeId: string
}

export interface Recovered extends Replayed {
  /** The newest journal, if a crash came before its opening frame was complete: nothing was ever written into it. */
  readonly unstarted: { readonly epoch: number; readonly isEmpty: boolean } | undefined
}

/** What receives the entries that are read, in order. */
export interface ReplayTarget {
  apply(entry: Entry): unknown
  /** For an entry of a journal, which the snapshot may contain already. */
  replay(entry: Entry): unknown
  /** Called after all entries that were written together. */
  strip(): unknown
}

/** Fills the tables from the snapshot and the journals after it. Only reads; throws unless every frame is there. */
export async function recover(deps: RecoverDeps, tables: ReplayTarget): Promise<Recovered> {
  const { disk, layout, storeId } = deps
  const snapshot = await readOwnSnapshot(deps)
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
    const scanned: Scanned = await scanJournal({ disk, path }, start, ({ entries }) => {
      for (const entry of entries) tables.replay(entry)
      tables.strip()
    })
    const hasStarted = scanned.size > 0
    const isEmpty = !hasStarted && !scanned.isTorn
    if (torn !== undefined && !isEmpty) throw notTheLast(layout, torn)
    if (hasStarted) {
      if (scanned.isTorn) torn = { epoch, offset: scanned.size }
      earlierBytes += end.size
      end = { epoch, frame: scanned.lastFrame, crc: scanned.crc, size: scanned.size }
    } else {
      // A snapshot names only a journal with an opening frame, and only such a journal is followed by another.
      if (epoch === snapshot.epoch || epoch !== epochs.at(-1)) throw lostItsBeginning(path, isEmpty)
      unstarted = { epoch, isEmpty }
    }
  }
  return { snapshotEpoch: snapshot.epoch, end, earlierBytes, torn, unstarted }
}

async function readOwnSnapshot({ snapshots, storeId, layout }: RecoverDeps): Promise<Snapshot> {
  const snapshot = await snapshots.read()
  if (snapshot.store_id === storeId) return snapshot
  throw new StoreDamagedError(
    layout.snapshot,
    0,
    `it is of store ${snapshot.store_id}, but IDENT names ${storeId}`,
  )
}

/** The epochs from the snapshot's on, without a gap. Earlier journals are leftovers of a compaction. */
async function epochsToReplay({ disk, layout }: RecoverDeps, first: number): Promise<number[]> {
  const epochs = journalEpochs(await disk.list(layout.directory)).filter((epoch) => epoch >= first)
  for (let epoch = first; epoch <= Math.max(first, epochs.at(-1) ?? first); epoch++) {
    if (!epochs.includes(epoch)) throw new StoreDamagedError(layout.journal(epoch), 0, 'it is missing')
  }
  return epochs
}

function notTheLast(layout: Layout, torn: { epoch: number; offset: number }): StoreDamagedError {
  const path = layout.journal(torn.epoch)
  return new StoreDamagedError(
    path,
    torn.offset,
    'its last frame is unreadable, but a later journal goes on from it',
  )
}

function lostItsBeginning(path: string, isEmpty: boolean): StoreDamagedError {
  const problem = isEmpty ? 'it is empty, and was not' : 'the frame that it begins with is unreadable'
  return new StoreDamagedError(path, 0, problem)
}
