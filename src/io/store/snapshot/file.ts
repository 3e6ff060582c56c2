import { type Adapter, Low } from 'lowdb'
import type { Disk } from '../directory/disk.ts'
import { readSnapshot } from './read-snapshot.ts'
import { replaceFile } from './replace-file.ts'
import { encodeSnapshot, type Snapshot } from './snapshot.ts'

/**
 * Throws when the file is missing or damaged, and syncs what it writes. The file adapter of lowdb never syncs, writes
 * the file as one string, changes its mode, and treats a missing or `null` file as an empty database.
 */
class SnapshotAdapter implements Adapter<Snapshot> {
  readonly #disk: Disk
  readonly #path: string

  constructor(disk: Disk, path: string) {
    this.#disk = disk
    this.#path = path
  }

  read(): Promise<Snapshot> {
    return readSnapshot(this.#disk, this.#path)
  }

  write(snapshot: Snapshot): Promise<void> {
    return replaceFile(this.#disk, this.#path, encodeSnapshot(snapshot))
  }
}

const NOTHING: Snapshot = { store_id: '', epoch: 1, frame: 0, seq: 0, entities: [], local: [] }

/** A lowdb database is made for each read or write only: kept longer, it would hold the whole state a second time. */
export class SnapshotFile {
  readonly #adapter: SnapshotAdapter

  constructor(disk: Disk, path: string) {
    this.#adapter = new SnapshotAdapter(disk, path)
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
