import { link, open, rename, rm, writeFile } from 'node:fs/promises'
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

export function replacePrivateFile(path: string, text: string): Promise<void> {
  return putInPlace(path, text, (temporary) => rename(temporary, path))
}

/** Windows has no such bits and reports every file as readable. */
export const isReadableByOthers = ({ mode }: { mode: number }): boolean =>
  process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0

/** Writes aside, and only then names it. */
async function putInPlace(
  path: string,
  text: string,
  name: (temporary: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.tmp`
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
