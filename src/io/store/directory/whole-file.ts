import { dirname } from 'node:path'
import type { Disk, DiskFile } from './disk.ts'

export const temporaryName = (path: string) => `${path}.tmp`

/** Replaces a file as a whole: a reader sees the old content or the new one, also after a crash. */
export async function replaceFile(disk: Disk, path: string, slices: Iterable<Uint8Array>): Promise<void> {
  const temporary = temporaryName(path)
  await disk.remove(temporary)
  try {
    await writeNewFile(disk, temporary, slices)
    await disk.rename(temporary, path)
  } catch (error) {
    // The first failure is the one to report; what stays behind is removed at the next attempt.
    await disk.remove(temporary).catch(() => {})
    throw error
  }
  await disk.syncDirectory(dirname(path))
}

/** Afterwards the content is durable; the name becomes durable when its directory is synced. */
export async function writeNewFile(
  disk: Disk,
  path: string,
  slices: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  const file = await disk.create(path)
  try {
    for await (const slice of slices) await file.append(slice)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Syncs the cut too: bytes that come back after a power failure must not precede what is written later. */
export async function cutAt(file: DiskFile, size: number): Promise<void> {
  await file.truncate(size)
  await file.sync()
}

export async function cutFile(disk: Disk, path: string, size: number): Promise<void> {
  const file = await disk.open(path)
  try {
    await cutAt(file, size)
  } finally {
    await file.close()
  }
}

/** The whole text of a small file. */
export async function readText(disk: Disk, path: string): Promise<string> {
  const slices: Uint8Array[] = []
  for await (const slice of disk.read(path)) slices.push(slice)
  return Buffer.concat(slices).toString('utf8')
}
