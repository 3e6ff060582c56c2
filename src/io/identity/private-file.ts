import { link, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Small files that only their owner may read. Whoever looks, also after a crash, sees a whole file or none. */

const OTHERS_MAY_READ = 0o077

/** `link` refuses a name that is taken, so whoever comes second finds the first one's file, whole. */
export function createPrivateFile(path: string, text: string): Promise<void> {
  return putInPlace(path, text, async (temporary) => {
    await link(temporary, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  })
}

/** Whoever is not alone in writing it names a place of its own to write aside. */
export function replacePrivateFile(path: string, text: string, aside?: string): Promise<void> {
  return putInPlace(path, text, (temporary) => rename(temporary, path), aside)
}

/** Nothing that we keep in one file and read at once comes near it. */
const MOST_BYTES = 4 * 1024 * 1024

/** A repository can bring along a link to a device, which never ends, or has whoever reads it wait for ever. */
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

/** Writes aside, and only then names it. */
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

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
