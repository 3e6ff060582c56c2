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

interface FilesPlace {
  readonly disk: Disk
  readonly directory: string
  readonly quota: Quota
  readonly clock: Pick<Clock, 'now'>
}

export type StoredFiles = Awaited<ReturnType<typeof openStoredFiles>>

/**
 * Files named by the hash of their content, so that the same content is stored once and a name never changes its
 * meaning. Removes at first what an interrupted `put` left behind.
 */
export async function openStoredFiles({ disk, directory, quota, clock }: FilesPlace) {
  const sizes = new Map<string, number>()
  /** When each file was stored last. Files found at start count as stored at that time. */
  const broughtAt = new Map<string, Stamp>()
  const removing = new Map<string, Promise<void>>()
  const running = new Set<Promise<StoredFile>>()
  let incomings = 0
  let isClosed = false
  const pathOf = (name: string): string => join(directory, name)
  await disk.makeDirectory(directory)
  await Promise.all((await disk.list(directory)).map(admit))
  await disk.syncDirectory(directory)

  async function admit(name: string): Promise<void> {
    if (INCOMING.test(name)) return disk.remove(pathOf(name))
    if (!SHA256.test(name)) return
    const size = (await disk.size(pathOf(name))) ?? 0
    sizes.set(name, size)
    broughtAt.set(name, clock.now())
    quota.files += size
  }

  /** The file counts as removed at once; whoever stores it again waits until its name is free. */
  function remove(sha256: string): Promise<void> {
    quota.files -= sizes.get(sha256) ?? 0
    sizes.delete(sha256)
    broughtAt.delete(sha256)
    const removed = disk
      .remove(pathOf(sha256))
      .catch(() => {}) // the next start lists it again
      .finally(() => removing.delete(sha256))
    removing.set(sha256, removed)
    return removed
  }

  async function putNow(source: AsyncIterable<Uint8Array>, maxBytes: number, expected: string | undefined) {
    const temporary = pathOf(`incoming-${++incomings}.tmp`)
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
      await keep(temporary, { sha256, size })
      return { sha256, size }
    } catch (error) {
      quota.files -= size
      await disk.remove(temporary).catch(() => {}) // the next start removes it
      throw error
    }
  }

  async function keep(temporary: string, { sha256, size }: StoredFile): Promise<void> {
    await removing.get(sha256)
    // Set before the next wait, because from here on the file must not be removed.
    broughtAt.set(sha256, clock.now())
    if (!sizes.has(sha256)) {
      await onDisk(disk.rename(temporary, pathOf(sha256)))
      await onDisk(disk.syncDirectory(directory))
    } else {
      await onDisk(disk.remove(temporary))
    }
    // Another `put` of the same content may have finished while this one was syncing.
    if (sizes.has(sha256)) quota.files -= size
    sizes.set(sha256, size)
  }

  return {
    size: (sha256: string): number | undefined => sizes.get(sha256),
    async put(source, maxBytes, expected) {
      if (isClosed) throw closed()
      const put = putNow(source, maxBytes, expected)
      running.add(put)
      try {
        return await put
      } finally {
        running.delete(put)
      }
    },
    async open(sha256) {
      const size = sizes.get(sha256)
      return size === undefined ? undefined : { size, bytes: disk.read(pathOf(sha256)) }
    },
    async removeUnless(isWanted, since) {
      for (const [sha256, at] of [...broughtAt]) {
        if (isClosed) return
        // Checked one by one, because while one file is being removed another may be stored again or named by a packet.
        if (at < since && sizes.has(sha256) && !isWanted(sha256)) await remove(sha256)
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await Promise.allSettled([...running, ...removing.values()])
    },
  } satisfies Files & { size(sha256: string): number | undefined; close(): Promise<void> }
}

/** Writes a file while it streams; each piece is counted before that. Returns its hash. */
async function receive(file: DiskFile, source: AsyncIterable<Uint8Array>, count: (bytes: number) => void) {
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
