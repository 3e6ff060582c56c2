import { randomBytes } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isDiskFull } from '../system/code.ts'

/**
 * A file that holds nothing but room. A start has to write some small files of its own, as the one that says who uses
 * the directory; on a full disk they get this room, so that a daemon starts there and can be read.
 */
const FILE = 'reserve'
const RESERVE_BYTES = 256 * 1024
/** Written and removed again, to see whether there is any room. */
const MORE_FILE = 'reserve.tmp'
const MORE_BYTES = 64 * 1024
const SLICE_BYTES = 16 * 1024

/** Where others try for the same room at the same time. */
const MOST_TRIES = 3

/** Does what takes a little room; on a full disk with what is reserved. */
export async function withReserve<Result>(directory: string, task: () => Promise<Result>): Promise<Result> {
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
    // As much as is left of it, before others take that. Not between two tries: the next one needs the room.
    if (isUsed) await fillReserve(directory).catch(() => {})
  }
}

/** Fills the reserve, and throws when the disk has not some more room besides; what it took stays reserved. */
export async function assertRoom(directory: string): Promise<void> {
  await fillReserve(directory)
  const more = join(directory, MORE_FILE)
  // One that was killed here may have left its own.
  await rm(more, { force: true })
  try {
    await fill(more, MORE_BYTES)
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
      // No zeros: there are disks that take no room for those.
      left -= (await file.write(randomBytes(Math.min(SLICE_BYTES, left)))).bytesWritten
    }
    if (size < bytes) await file.datasync()
  } finally {
    await file.close()
  }
}
