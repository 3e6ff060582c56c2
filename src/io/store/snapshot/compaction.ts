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

/** Writes a new snapshot that includes the journals, while the store goes on working. */
export class Compaction {
  readonly #deps: CompactionDeps
  readonly #everyBytes: number
  #dueAtBytes: number
  #running: Promise<void> | undefined

  constructor(deps: CompactionDeps, everyBytes: number) {
    this.#deps = deps
    this.#everyBytes = everyBytes
    this.#dueAtBytes = Math.max(everyBytes, deps.quota.snapshot)
  }

  /** Starts a compaction in the background when the journal has grown enough since the last one. */
  startIfDue(): void {
    if (this.#deps.journal.bytes > this.#dueAtBytes) this.#running ??= this.#run()
  }

  /**
   * Starts a compaction in the background when the quota is reached, unless the journal is too short to contain much
   * that is obsolete.
   */
  startToMakeRoom(): void {
    const { journal, quota } = this.#deps
    if (journal.bytes > quota.snapshot / ROOM_SHARE) this.#running ??= this.#run()
  }

  /** Resolves when a running compaction has ended. */
  async settled(): Promise<void> {
    await this.#running
  }

  /** Never throws: whatever fails, snapshot and journals together still hold everything. */
  async run(): Promise<void> {
    this.#running ??= this.#run()
    await this.#running
  }

  async #run(): Promise<void> {
    const { disk, layout, journal, quota, log } = this.#deps
    try {
      const snapshot = await this.#beginEpoch()
      await this.#deps.snapshots.write(snapshot)
      journal.forgetEarlier()
      await removeJournalsBefore(snapshot.epoch, disk, layout)
      quota.snapshot = (await disk.size(layout.snapshot)) ?? 0
      this.#dueAtBytes = Math.max(this.#everyBytes, quota.snapshot)
      log.info(
        { epoch: snapshot.epoch, statements: snapshot.entities.length, bytes: quota.snapshot },
        'store compacted',
      )
    } catch (error) {
      this.#dueAtBytes = journal.bytes + this.#everyBytes
      log.warn({ err: error }, 'store not compacted; it will be tried again later')
    } finally {
      this.#running = undefined
    }
  }

  /**
   * The copied entries may include commits that are not durable yet. These are in the journal of the new epoch, so
   * replaying them over the snapshot changes nothing; but if they fail, the snapshot must not be used.
   */
  async #beginEpoch(): Promise<Snapshot> {
    const { journal, tables, group, storeId } = this.#deps
    const { snapshot, durable } = await group.betweenFrames(async () => {
      const { epoch, frame } = await journal.rotate()
      const snapshot = { store_id: storeId, epoch, frame, seq: tables.seq, ...tables.copyEntries() }
      return { snapshot, durable: group.pending }
    })
    await durable
    return snapshot
  }
}

/** Removes the journals whose content is in the snapshot. */
export async function removeJournalsBefore(epoch: number, disk: Disk, layout: Layout): Promise<void> {
  const names = await disk.list(layout.directory)
  for (const past of journalEpochs(names).filter((past) => past < epoch))
    await disk.remove(layout.journal(past))
}
