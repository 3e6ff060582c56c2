import type { Disk } from './disk.ts'

/** Cuts a file off at this size, durably. */
export async function cutFile(disk: Disk, path: string, size: number): Promise<void> {
  const file = await disk.open(path)
  try {
    await file.truncate(size)
    await file.sync()
  } finally {
    await file.close()
  }
}
