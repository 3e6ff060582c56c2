import { dirname } from 'node:path'
import type { Disk } from '../directory/disk.ts'

export const temporaryName = (path: string) => `${path}.tmp`

/** Puts a whole file in place: whoever looks, also after a crash, sees the old content or the new one. */
export async function replaceFile(disk: Disk, path: string, slices: Iterable<Uint8Array>): Promise<void> {
  const temporary = temporaryName(path)
  await disk.remove(temporary)
  try {
    await writeNewFile(disk, temporary, slices)
    await disk.rename(temporary, path)
  } catch (error) {
    // The first failure is the one to tell; what stays behind is removed at the next attempt.
    await disk.remove(temporary).catch(() => {})
    throw error
  }
  await disk.syncDirectory(dirname(path))
}

/** The content is durable afterwards; the name is so only when its directory has been synced. */
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
