import type { Disk } from './disk.ts'
import { firstCrc } from './frame.ts'
import type { JournalEnd, Replayed } from './journal.ts'
import { journalEpochs, type Layout } from './layout.ts'
import { type Scanned, scanJournal } from './scan-journal.ts'
import type { Snapshot } from './snapshot.ts'
import type { SnapshotFile } from './snapshot-file.ts'
import { StoreDamagedError } from './store-errors.ts'
import type { Tables } from './tables.ts'

export interface RecoverDeps {
  readonly disk: Disk
  readonly layout: Layout
  readonly snapshots: SnapshotFile
  readonly storeId: string
}

export interface Recovered extends Replayed {
  /** Where the last frame is damaged. */
  readonly torn: { readonly epoch: number; readonly offset: number } | undefined
}

/** Fills the tables from the snapshot and the journals after it. Only reads; throws unless all is accounted for. */
export async function recover(deps: RecoverDeps, tables: Tables): Promise<Recovered> {
  const { disk, layout, storeId } = deps
  const snapshot = await readOwnSnapshot(deps)
  for (const entry of snapshot.entities) tables.apply(entry)
  for (const entry of snapshot.local) tables.apply(entry)

  let end: JournalEnd = { epoch: snapshot.epoch, frame: snapshot.frame, crc: 0, size: 0 }
  let earlierBytes = 0
  let torn: Recovered['torn']
  for (const epoch of await epochsToReplay(deps, snapshot.epoch)) {
    const path = layout.journal(epoch)
    const start = { crc: firstCrc(storeId, epoch), lastFrame: end.frame }
    const scanned: Scanned = await scanJournal({ disk, path }, start, ({ entries }) => {
      for (const entry of entries) tables.apply(entry)
    })
    const isEmpty = scanned.size === 0 && !scanned.isTorn
    if (torn !== undefined && !isEmpty) throw notTheLast(layout, torn)
    if (scanned.isTorn) torn = { epoch, offset: scanned.size }
    earlierBytes += end.size
    end = { epoch, frame: scanned.lastFrame, crc: scanned.crc, size: scanned.size }
  }
  return { snapshotEpoch: snapshot.epoch, end, earlierBytes, torn }
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

/** From the snapshot's on, without a gap. Earlier ones are leftovers of a compaction. */
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
