import type { Clock, Files, Store, Timers } from '../../engine/ports/ports.ts'
import { backgroundTimers } from '../system/timers.ts'
import type { Disk } from './directory/disk.ts'
import { layOutStore, readIdent } from './directory/first-start.ts'
import { isOwnDirectory, layout as layoutOf } from './directory/layout.ts'
import { nodeDisk } from './directory/node-disk.ts'
import { temporaryName } from './directory/whole-file.ts'
import { openStoredFiles } from './files/files.ts'
import type { Sign } from './journal/entry.ts'
import { createGroupCommit } from './journal/group-commit.ts'
import { openJournal } from './journal/journal.ts'
import { removeUnstarted } from './journal/quarantine.ts'
import { recover } from './journal/recover.ts'
import { Quota } from './quota.ts'
import { createCompaction, removeJournalsBefore } from './snapshot/compaction.ts'
import { snapshotFile } from './snapshot/file.ts'
import { createStore } from './store.ts'
import { inWords } from './store-errors.ts'
import { type StoreLog, silent } from './store-log.ts'
import { Tables } from './tables/tables.ts'
import { createWriteHealth } from './write-health.ts'

const MIB = 1024 * 1024

export interface OpenStoreOptions {
  readonly directory: string
  readonly clock: Clock
  readonly disk?: Disk
  /** The limit for the size of the snapshot, the journals and the files together. */
  readonly quotaBytes?: number
  /** The journal is compacted into the snapshot when it is larger than this and larger than the snapshot. */
  readonly compactBytes?: number
  readonly log?: StoreLog
  readonly timers?: Timers
  /** Signs this daemon's own statements; may be left out where it makes none. */
  readonly sign?: Sign
}

export interface OpenedStore {
  readonly store: Store
  readonly files: Files
}

/**
 * Opens the store in a directory, or lays out a new one. Throws StoreLockedError, StoreDamagedError,
 * StoreTooNewError, StoreTooOldError or DataDirError, and has then changed nothing. Disposing of the store closes the files with it.
 */
export async function openStore(options: OpenStoreOptions): Promise<OpenedStore> {
  const { directory, disk = nodeDisk } = options
  let created: readonly string[] = []
  try {
    created = await disk.makeDirectory(directory)
    if (isOwnDirectory(await disk.list(directory))) await disk.makePrivate(directory)
    const lock = await disk.lock(directory)
    return await openLocked(options, disk, lock).catch(async (error) => {
      await lock[Symbol.asyncDispose]()
      throw error
    })
  } catch (error) {
    for (const path of created) await disk.removeDirectory(path).catch(() => {}) // it may be in use by another process that starts
    throw inWords(error, directory)
  }
}

async function openLocked(options: OpenStoreOptions, disk: Disk, lock: AsyncDisposable) {
  const { directory, clock, log = silent, timers = backgroundTimers } = options
  const { quotaBytes = 512 * MIB, compactBytes = 64 * MIB, sign = noSigner } = options
  const layout = layoutOf(directory)
  const snapshots = snapshotFile(disk, layout.snapshot)
  const quota = new Quota(quotaBytes)
  const tables = new Tables(() => clock.now())

  const ident = (await readIdent(disk, layout)) ?? (await layOutStore({ disk, layout, snapshots, clock }))
  const storeId = ident.store_id
  const { unstarted, ...replayed } = await recover({ disk, layout, snapshots, storeId }, tables)

  // From here on the store is known to be sound, and the directory may be changed.
  await disk.syncDirectory(directory)
  if (unstarted !== undefined) {
    const keptAs = await removeUnstarted(disk, layout, unstarted)
    log.warn(
      { keptAs, ...unstarted },
      'a journal that had not begun when the daemon stopped has been taken away',
    )
  }
  await removeJournalsBefore(replayed.snapshotEpoch, disk, layout)
  await disk.remove(temporaryName(layout.snapshot))
  const files = await openStoredFiles({ disk, directory: layout.files, quota, clock })
  const journal = await openJournal({ disk, layout, storeId, log }, replayed)

  const writeHealth = createWriteHealth({ quota, timers, log, assertRoom: () => disk.assertRoom(directory) })
  await writeHealth.checkRoom()
  const group = createGroupCommit(async (entries) => {
    await writeHealth.track(() => journal.write(entries))
    compaction.startIfDue()
  }, log)
  quota.snapshot = (await disk.size(layout.snapshot)) ?? 0
  quota.journal = () => journal.bytes + group.waitingChars
  const parts = { disk, layout, storeId, tables, journal, group, snapshots, quota, log }
  const compaction = createCompaction(parts, compactBytes)
  compaction.startIfDue()
  const store = createStore({
    id: storeId,
    tables,
    files,
    quota,
    journal,
    group,
    compaction,
    writeHealth,
    lock,
    sign,
    recovered: replayed.torn !== undefined || unstarted?.isEmpty === false,
  })
  return { store, files }
}

const noSigner: Sign = () => Promise.reject(new TypeError('this store was opened without a signer'))
