import type { Disk } from '../directory/disk.ts'
import { journalEpochs, type Layout } from '../directory/layout.ts'
import type { GroupCommit } from '../journal/group-commit.ts'
import type { Journal, JournalDeps } from '../journal/journal.ts'
import type { Quota } from '../quota.ts'
import type { Tables } from '../tables/tables.ts'
import type { SnapshotFile } from './file.ts'
import type { Snapshot } from './snapshot.ts'

export interface CompactionDeps extends JournalDeps {
  readonly tables: Tables
  readonly journal: Journal
  readonly group: GroupCommit
  readonly snapshots: SnapshotFile
  readonly quota: Quota
}

/** To make room, a snapshot is written when the journal is larger than the snapshot divided by this. */
const ROOM_SHARE = 8

export type Compaction = ReturnType<typeof createCompaction>

/** Writes a new snapshot that includes the journals, while the store goes on working. */
export function createCompaction(
  { disk, layout, storeId, tables, journal, group, snapshots, quota, log }: CompactionDeps,
  everyBytes: number,
) {
  let dueAtBytes = Math.max(everyBytes, quota.snapshot)
  let running: Promise<void> | undefined

  function start(): Promise<void> {
    running ??= compact()
    return running
  }

  async function compact(): Promise<void> {
    try {
      const snapshot = await beginEpoch()
      await snapshots.write(snapshot)
      journal.forgetEarlier()
      await removeJournalsBefore(snapshot.epoch, disk, layout)
      quota.snapshot = (await disk.size(layout.snapshot)) ?? 0
      dueAtBytes = Math.max(everyBytes, quota.snapshot)
      const told = { epoch: snapshot.epoch, statements: snapshot.entities.length, bytes: quota.snapshot }
      log.info(told, 'store compacted')
    } catch (error) {
      dueAtBytes = journal.bytes + everyBytes
      log.warn({ err: error }, 'store not compacted; it will be tried again later')
    } finally {
      running = undefined
    }
  }

  /**
   * The copied entries may include commits that are not durable yet. These are in the journal of the new epoch, so
   * replaying them over the snapshot changes nothing; but if they fail, the snapshot must not be used.
   */
  async function beginEpoch(): Promise<Snapshot> {
    const { snapshot, durable } = await group.betweenFrames(async () => {
      const { epoch, frame } = await journal.rotate()
      const snapshot = { store_id: storeId, epoch, frame, seq: tables.seq, ...tables.copyEntries() }
      return { snapshot, durable: group.pending }
    })
    await durable
    return snapshot
  }

  return {
    /** Starts a compaction in the background when the journal has grown enough since the last one. */
    startIfDue(): void {
      if (journal.bytes > dueAtBytes) void start()
    },
    /**
     * Starts a compaction in the background when the quota is reached, unless the journal is too short to contain much
     * that is obsolete.
     */
    startToMakeRoom(): void {
      if (journal.bytes > quota.snapshot / ROOM_SHARE) void start()
    },
    /** Resolves when a running compaction has ended. */
    settled: async (): Promise<void> => running,
    /** Never throws: whatever fails, snapshot and journals together still hold everything. */
    run: start,
  }
}

/** Removes the journals whose content is in the snapshot. */
export async function removeJournalsBefore(epoch: number, disk: Disk, layout: Layout): Promise<void> {
  const names = await disk.list(layout.directory)
  for (const past of journalEpochs(names).filter((past) => past < epoch))
    await disk.remove(layout.journal(past))
}
