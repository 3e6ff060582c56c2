import { lstat, mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord, recordText, type SetupRecord } from '../../setup/record.ts'
import { isReadableByOthers, readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { DataDirError } from '../place/data-dir.ts'
import { unlessThere } from '../system/code.ts'
import { newTemporaryPath, removeStaleTemporaries } from './write-text.ts'

const folderOf = (root: string): string => join(root, '.cacp')
const recordPath = (root: string): string => join(folderOf(root), 'setup.json')

/**
 * Undefined when nothing was set up here, or the record cannot be read. A record that others can read is not ours: it
 * came with a cloned repository, and would have files and folders removed that were never set up.
 */
export async function loadRecord(root: string): Promise<SetupRecord | undefined> {
  try {
    await assertOwnFolder(root)
    if (isReadableByOthers(await stat(recordPath(root)))) return undefined
    return readRecord(await readSmallFile(recordPath(root)))
  } catch {
    return undefined
  }
}

/** Private, because it contains parts of files that were changed. */
export const saveRecord = (root: string, record: SetupRecord): Promise<void> =>
  replacePrivateFile(recordPath(root), recordText(record), newTemporaryPath(root))

/** Also removes temporary files that a crash may have left. */
export async function forgetRecord(root: string): Promise<void> {
  await removeStaleTemporaries(root)
  await rm(recordPath(root), { force: true })
}

/** Makes the data folder and hides it from git before anything is put into it. */
export async function makeDataFolder(root: string): Promise<void> {
  const folder = folderOf(root)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(unlessThere)
}

/** A cloned repository can contain a symbolic link in its place that points into the user's home directory. */
export async function assertOwnFolder(root: string): Promise<void> {
  const found = await lstat(folderOf(root)).catch(() => undefined)
  if (found?.isSymbolicLink() !== true) return
  throw new DataDirError(
    `${folderOf(root)} is a link, so nothing was written or removed`,
    'Remove it, or put a folder in its place; if it came with the repository, somebody may mean harm',
  )
}
