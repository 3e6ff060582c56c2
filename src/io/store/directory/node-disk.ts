import { constants } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { assertRoom } from '../../place/reserved-space.ts'
import { ifThere, isMissing } from '../../system/code.ts'
import { syncDirectory } from '../../system/sync-directory.ts'
import type { Disk, DiskFile } from './disk.ts'
import { lockDirectory } from './lock.ts'
import { assertNoSymbolicLinks } from './symbolic-links.ts'

const PRIVATE_FILE = 0o600
const PRIVATE_DIRECTORY = 0o700
const OTHERS = 0o077
const STICKY = 0o1000
const SLICE_BYTES = 256 * 1024

export const nodeDisk: Disk = {
  async makeDirectory(path) {
    const target = resolve(path)
    const created = await makeMissing(target)
    for (const path of created) await syncDirectory(dirname(path))
    return created
  },
  makePrivate,
  removeDirectory: (path) => rmdir(path),
  list: (directory) => readdir(directory),
  size: async (path) => (await ifThere(stat(path)))?.size,
  create: async (path) => diskFile(await open(path, 'ax', PRIVATE_FILE)),
  open: async (path) => diskFile(await open(path, constants.O_WRONLY | constants.O_APPEND)),
  async *read(path, from = 0) {
    const handle = await open(path, 'r')
    try {
      for (let position = from; ; ) {
        const slice = Buffer.allocUnsafe(SLICE_BYTES)
        const { bytesRead } = await handle.read(slice, 0, SLICE_BYTES, position)
        if (bytesRead === 0) return
        position += bytesRead
        yield slice.subarray(0, bytesRead)
      }
    } finally {
      await handle.close()
    }
  },
  rename,
  remove: (path) => rm(path, { force: true }),
  syncDirectory,
  assertRoom,
  async lock(directory) {
    await assertNoSymbolicLinks(directory)
    return lockDirectory(directory)
  },
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

/**
 * Makes missing parents one by one: Node's recursive mkdir reports ENOENT for every cause, such as a read-only disk.
 */
async function makeMissing(path: string): Promise<string[]> {
  const parent = dirname(path)
  const created = (await isThere(parent)) ? [] : await makeMissing(parent)
  try {
    await mkdir(path, PRIVATE_DIRECTORY)
    return [path, ...created]
  } catch (error) {
    if (await isDirectory(path)) return created
    for (const made of created) await rmdir(made)
    throw error
  }
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error) => !isMissing(error),
  )

const isDirectory = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

/** Leaves a directory alone that is meant for everybody, such as /tmp, or that belongs to another user. */
async function makePrivate(directory: string): Promise<void> {
  const { mode } = await stat(directory)
  if (process.platform === 'win32' || (mode & OTHERS) === 0 || (mode & STICKY) !== 0) return
  await chmod(directory, PRIVATE_DIRECTORY).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPERM') throw error
  })
}
