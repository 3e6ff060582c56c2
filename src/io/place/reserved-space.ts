import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../system/code.ts'

/**
 * A file that only occupies space. A start has to write some small files, such as the lock; on a full disk they get
 * this space, so that a daemon starts there and can be read.
 */
const FILE = 'reserve'
const RESERVE_BYTES = 256 * 1024
/** Written and removed again, to see whether there is more space. */
const PROBE_FILE = 'reserve.tmp'
const PROBE_BYTES = 64 * 1024
const SLICE_BYTES = 16 * 1024

/** Other processes may take the freed space at the same time. */
const MOST_TRIES = 3

/** Runs a task that writes a little; on a full disk, it gets the reserved space. */
export async function withReservedSpace<Result>(directory: string, task: () => Promise<Result>) {
  let isUsed = false
  try {
    for (let tries = 1; ; tries++) {
      try {
        return await task()
      } catch (error) {
        if (!isDiskFull(error) || tries === MOST_TRIES) throw error
        isUsed = true
        await rm(join(directory, FILE), { force: true })
      }
    }
  } finally {
    // Reserves again what is left, before others take it; not between two tries, because the next one needs the
    // space.
    if (isUsed) await fillReserve(directory).catch(() => {})
  }
}

/** Fills the reserve, and throws when the disk has no space beyond that. The reserve stays. */
export async function assertRoom(directory: string): Promise<void> {
  await fillReserve(directory)
  const more = join(directory, PROBE_FILE)
  // A process that was killed here may have left the file.
  await rm(more, { force: true })
  try {
    await fill(more, PROBE_BYTES)
  } finally {
    await rm(more, { force: true })
  }
}

const fillReserve = (directory: string): Promise<void> => fill(join(directory, FILE), RESERVE_BYTES)

async function fill(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'a', 0o600)
  try {
    const { size } = await file.stat()
    for (let left = bytes - size; left > 0; ) {
      // No zeros, because some file systems store those without using space.
      left -= (await file.write(randomBytes(Math.min(SLICE_BYTES, left)))).bytesWritten
    }
    if (size < bytes) await file.datasync()
  } finally {
    await file.close()
  }
}
