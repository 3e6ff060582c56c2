import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unlessThere } from '../system/code.ts'
import { syncDirectory } from '../system/sync-directory.ts'

/** Small files that only their owner may read. A reader sees a whole file or none, also after a crash. */

const OTHERS_MAY_READ = 0o077

/**
 * Keeps an existing file: `link` fails when the name is taken, so of two processes the second finds the whole file of
 * the first.
 */
export const createPrivateFile = (path: string, text: string): Promise<void> =>
  putInPlace(path, text, (temporary) => link(temporary, path).catch(unlessThere))

/** Where several processes write the file, each has to name a temporary file of its own. */
export const replacePrivateFile = (path: string, text: string, temporaryPath?: string): Promise<void> =>
  putInPlace(path, text, (temporary) => rename(temporary, path), temporaryPath)

/** Larger than any file that is read as a whole. */
const MOST_BYTES = 4 * 1024 * 1024

/**
 * Reads a regular file of limited size only: a cloned repository can contain a link to a device, which never ends or
 * blocks the reader.
 */
export async function readSmallFile(path: string): Promise<string> {
  const found = await stat(path)
  const code = found.isDirectory() ? 'EISDIR' : !found.isFile() ? 'EINVAL' : 'EFBIG'
  if (!found.isFile() || found.size > MOST_BYTES)
    throw Object.assign(new Error(`${path} is no small file`), { code })
  return await readFile(path, 'utf8')
}

/** Windows has no such bits and reports every file as readable. */
export const isReadableByOthers = ({ mode }: { mode: number }): boolean =>
  process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0

/** Writes a temporary file and then gives it its name. */
async function putInPlace(
  path: string,
  text: string,
  name: (temporary: string) => Promise<void>,
  temporary = `${path}.tmp`,
): Promise<void> {
  await rm(temporary, { force: true })
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: 'wx', flush: true })
    await name(temporary)
  } finally {
    await rm(temporary, { force: true })
  }
  await syncDirectory(dirname(path))
}
