import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Disk, DiskFile } from './disk.ts'
import { lockDirectory } from './lock.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700
const SLICE_BYTES = 256 * 1024

export const nodeDisk: Disk = {
  async makeDirectory(path) {
    const target = resolve(path)
    const topmost = await mkdir(target, { recursive: true, mode: PRIVATE_DIRECTORY })
    if (topmost === undefined) return
    for (let created = target; created.length >= topmost.length; created = dirname(created)) {
      await syncDirectory(dirname(created))
    }
  },
  list: (directory) => readdir(directory),
  async size(path) {
    try {
      return (await stat(path)).size
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  },
  create: async (path) => diskFile(await open(path, 'ax', PRIVATE_FILE)),
  open: async (path) => diskFile(await open(path, constants.O_WRONLY | constants.O_APPEND)),
  async *read(path, from = 0) {
    const handle = await open(path, 'r')
    try {
      for (let position = from; ; ) {
        const { bytesRead, buffer } = await handle.read(
          Buffer.allocUnsafe(SLICE_BYTES),
          0,
          SLICE_BYTES,
          position,
        )
        if (bytesRead === 0) return
        position += bytesRead
        yield buffer.subarray(0, bytesRead)
      }
    } finally {
      await handle.close()
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory,
  lock: lockDirectory,
}

function diskFile(handle: FileHandle): DiskFile {
  return {
    async append(bytes) {
      for (let written = 0; written < bytes.length; ) {
        written += (await handle.write(bytes, written)).bytesWritten
      }
    },
    sync: () => handle.datasync(),
    truncate: (size) => handle.truncate(size),
    close: () => handle.close(),
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
