import { type Adapter, Low } from 'lowdb'
import type { Disk } from '../directory/disk.ts'
import { readSnapshot } from './read-snapshot.ts'
import { replaceFile } from './replace-file.ts'
import { encodeSnapshot, type Snapshot } from './snapshot.ts'

/**
 * lowdb's own file adapter never syncs, rewrites the file as one string, loses its mode, and lets a missing
 * or `null` file pass for an empty database. This one does none of that: it throws where that one shrugs.
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

/** The database lives only as long as it is read or written: what it holds would otherwise never be freed. */
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
