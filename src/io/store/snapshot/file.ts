import { type Adapter, Low } from 'lowdb'
import type { Disk } from '../directory/disk.ts'
import { replaceFile } from '../directory/whole-file.ts'
import { readSnapshot } from './read-snapshot.ts'
import { encodeSnapshot, type Snapshot } from './snapshot.ts'

const NOTHING: Snapshot = { store_id: '', epoch: 1, frame: 0, seq: 0, entities: [], local: [] }

/** A lowdb database is made for each read or write only: kept longer, it would hold the whole state a second time. */
export class SnapshotFile {
  /**
   * Throws when the file is missing or damaged, and syncs what it writes. The file adapter of lowdb never syncs, writes
   * the file as one string, changes its mode, and treats a missing or `null` file as an empty database.
   */
  readonly #adapter: Adapter<Snapshot>

  constructor(disk: Disk, path: string) {
    this.#adapter = {
      read: () => readSnapshot(disk, path),
      write: (snapshot) => replaceFile(disk, path, encodeSnapshot(snapshot)),
    }
  }

  async read(): Promise<Snapshot> {
    const database = new Low(this.#adapter, NOTHING)
    await database.read()
    return database.data
  }

  write(snapshot: Snapshot): Promise<void> {
    return new Low(this.#adapter, snapshot).write()
  }
}
