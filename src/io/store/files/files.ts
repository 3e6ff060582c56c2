import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { StoredFile } from '../../../domain/view.ts'
import type { Clock, Files } from '../../../engine/ports/ports.ts'
import type { Stamp } from '../../../protocol/stamp.ts'
import type { Disk, DiskFile } from '../directory/disk.ts'
import type { Quota } from '../quota.ts'
import { closed, fileTooLarge, onDisk, quotaReached, wrongFile } from '../refusals.ts'

const SHA256 = /^[0-9a-f]{64}$/
/** The name of a file that is being received; after a crash it is incomplete. */
const INCOMING = /^incoming-\d+\.tmp$/

export interface FilesPlace {
  readonly disk: Disk
  readonly directory: string
  readonly quota: Quota
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Files named by the hash of their content, so that the same content is stored once and a name never changes its
 * meaning.
 */
export class StoredFiles implements Files {
  readonly #place: FilesPlace
  readonly #sizes = new Map<string, number>()
  /** When each file was stored last. Files found at start count as stored at that time. */
  readonly #broughtAt = new Map<string, Stamp>()
  readonly #removing = new Map<string, Promise<void>>()
  readonly #running = new Set<Promise<StoredFile>>()
  #incoming = 0
  #isClosed = false

  /** Removes what an interrupted `put` left behind. */
  static async open(place: FilesPlace): Promise<StoredFiles> {
    const { disk, directory } = place
    await disk.makeDirectory(directory)
    const files = new StoredFiles(place)
    await Promise.all((await disk.list(directory)).map((name) => files.#admit(name)))
    await disk.syncDirectory(directory)
    return files
  }

  private constructor(place: FilesPlace) {
    this.#place = place
  }

  size(sha256: string): number | undefined {
    return this.#sizes.get(sha256)
  }

  async put(source: AsyncIterable<Uint8Array>, maxBytes: number, expected?: string): Promise<StoredFile> {
    if (this.#isClosed) throw closed()
    const running = this.#put(source, maxBytes, expected)
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  async open(sha256: string): Promise<{ size: number; bytes: AsyncIterable<Uint8Array> } | undefined> {
    const size = this.#sizes.get(sha256)
    return size === undefined ? undefined : { size, bytes: this.#place.disk.read(this.#path(sha256)) }
  }

  async removeUnless(isWanted: (sha256: string) => boolean, since: Stamp): Promise<void> {
    for (const [sha256, broughtAt] of [...this.#broughtAt]) {
      if (this.#isClosed) return
      // Checked one by one, because while one file is being removed another may be stored again or named by a packet.
      if (broughtAt < since && this.#sizes.has(sha256) && !isWanted(sha256)) await this.#remove(sha256)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled([...this.#running, ...this.#removing.values()])
  }

  /** The file counts as removed at once; whoever stores it again waits until its name is free. */
  #remove(sha256: string): Promise<void> {
    this.#place.quota.files -= this.#sizes.get(sha256) ?? 0
    this.#sizes.delete(sha256)
    this.#broughtAt.delete(sha256)
    const removing = this.#place.disk
      .remove(this.#path(sha256))
      .catch(() => {}) // the next start lists it again
      .finally(() => this.#removing.delete(sha256))
    this.#removing.set(sha256, removing)
    return removing
  }

  async #put(
    source: AsyncIterable<Uint8Array>,
    maxBytes: number,
    expected: string | undefined,
  ): Promise<StoredFile> {
    const { disk, quota } = this.#place
    const temporary = this.#path(`incoming-${++this.#incoming}.tmp`)
    const incoming = await onDisk(disk.create(temporary))
    let size = 0
    const count = (bytes: number) => {
      size += bytes
      quota.files += bytes
      if (size > maxBytes) throw fileTooLarge(maxBytes)
      if (quota.isExceeded()) throw quotaReached(quota.limit)
    }
    try {
      const sha256 = await receive(incoming, source, count)
      if (expected !== undefined && sha256 !== expected) throw wrongFile(expected)
      await this.#keep(temporary, { sha256, size })
      return { sha256, size }
    } catch (error) {
      quota.files -= size
      await disk.remove(temporary).catch(() => {}) // the next start removes it
      throw error
    }
  }

  async #keep(temporary: string, { sha256, size }: StoredFile): Promise<void> {
    await this.#removing.get(sha256)
    // Set before the next wait, because from here on the file must not be removed.
    this.#broughtAt.set(sha256, this.#place.clock.now())
    if (!this.#sizes.has(sha256)) {
      await onDisk(this.#place.disk.rename(temporary, this.#path(sha256)))
      await onDisk(this.#place.disk.syncDirectory(this.#place.directory))
    } else {
      await onDisk(this.#place.disk.remove(temporary))
    }
    // Another `put` of the same content may have finished while this one was syncing.
    if (this.#sizes.has(sha256)) this.#place.quota.files -= size
    this.#sizes.set(sha256, size)
  }

  async #admit(name: string): Promise<void> {
    if (INCOMING.test(name)) return this.#place.disk.remove(this.#path(name))
    if (!SHA256.test(name)) return
    const size = (await this.#place.disk.size(this.#path(name))) ?? 0
    this.#sizes.set(name, size)
    this.#broughtAt.set(name, this.#place.clock.now())
    this.#place.quota.files += size
  }

  #path(name: string): string {
    return join(this.#place.directory, name)
  }
}

/** Writes a file while it streams; each piece is counted before that. Returns its hash. */
async function receive(
  file: DiskFile,
  source: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): Promise<string> {
  const hash = createHash('sha256')
  try {
    for await (const bytes of source) {
      count(bytes.length)
      hash.update(bytes)
      await onDisk(file.append(bytes))
    }
    await onDisk(file.sync())
  } finally {
    await onDisk(file.close())
  }
  return hash.digest('hex')
}
