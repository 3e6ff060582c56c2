import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readRecord, recordText, type SetupRecord } from '../../setup/record.ts'
import { replacePrivateFile } from '../private-file.ts'

const recordPath = (root: string): string => join(root, '.cacp', 'setup.json')

/** Undefined when nothing was set up here, or when what remembers it is not readable. */
export const loadRecord = (root: string): Promise<SetupRecord | undefined> =>
  readFile(recordPath(root), 'utf8').then(readRecord, () => undefined)

/** Nobody but its owner reads it: it holds pieces of files that were changed. */
export const saveRecord = (root: string, record: SetupRecord): Promise<void> =>
  replacePrivateFile(recordPath(root), recordText(record))

/** With what a crash may have left of writing it, or another file. */
export async function forgetRecord(root: string): Promise<void> {
  for (const name of ['setup.tmp', 'setup.json.tmp', 'setup.json'])
    await rm(join(root, '.cacp', name), { force: true })
}

/** The folder that git does not see, before anything is put into it. */
export async function makeDataFolder(root: string): Promise<void> {
  const folder = join(root, '.cacp')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
}
