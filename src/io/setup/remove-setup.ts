import { readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlannedFile } from '../../setup/files.ts'
import { planRemoval } from '../../setup/plan.ts'
import { NO_RECORD, type SetupRecord } from '../../setup/record.ts'
import { findFile, isInside } from './place.ts'
import { assertOwnFolder, forgetRecord, loadRecord, saveRecord } from './record-file.ts'
import type { Setup } from './set-up.ts'
import { type Step, stepOf, takeStep } from './step.ts'

interface Removal extends Pick<Setup, 'root' | 'files'> {
  readonly isDryRun: boolean
}

/**
 * Undoes everything that was ever set up here. The record is removed last, so that after a crash the rest can be
 * undone; files that could not be undone stay in it.
 */
export async function removeSetup({ root, files, isDryRun }: Removal): Promise<Step[]> {
  await assertOwnFolder(root)
  const record = await loadRecord(root)
  const wasThere = await stat(join(root, '.cacp')).catch(() => undefined)
  const steps: Step[] = []
  for (const file of files) steps.push(...(await takeOne(root, file, record, isDryRun)))
  if (isDryRun) return steps
  const left = new Set(steps.filter(({ did }) => did === 'left').map(({ path }) => path))
  const known = Object.entries(record?.files ?? {}).filter(([path]) => left.has(path))
  await removeFolders(root, record?.folders ?? foldersOf(steps))
  if (record !== undefined && known.length > 0)
    await saveRecord(root, { ...NO_RECORD, ...record, files: Object.fromEntries(known) })
  else await forgetRecord(root)
  if (wasThere === undefined || record?.folders.includes('.cacp') === true) await removeDataFolder(root)
  return steps
}

async function takeOne(root: string, file: PlannedFile, record: SetupRecord | undefined, isDryRun: boolean) {
  const remembered = record?.files[file.path]
  const found = await findFile(root, file.path)
  if ('problem' in found)
    return remembered === undefined ? [] : stepOf(file, { did: 'left', why: found.problem })
  const plan = planRemoval(file, found.text, remembered)
  return isDryRun ? stepOf(file, plan) : takeStep(file, plan, { root, target: found.target })
}

/** Without a record, the folders of the removed files, if they are empty. */
const foldersOf = (steps: readonly Step[]): string[] =>
  steps
    .filter(({ did }) => did === 'removed')
    .flatMap(({ path }) => path.split('/').map((_, index, names) => names.slice(0, index).join('/')))
    .filter((folder) => folder !== '' && folder !== '.cacp')

/** Only folders that are ours and empty, inner ones first. */
async function removeFolders(root: string, folders: readonly string[]): Promise<void> {
  const base = await realpath(root)
  const ours = [...new Set(folders)].filter((folder) => folder !== '.cacp')
  for (const folder of ours.toSorted((a, b) => b.length - a.length)) {
    const target = await realpath(join(root, folder)).catch(() => undefined)
    if (target !== undefined && isInside(base, target)) await rmdir(target).catch(() => {})
  }
}

/**
 * Removes the data folder only when nothing but its .gitignore is in it, because git must not see a daemon's data.
 */
async function removeDataFolder(root: string): Promise<void> {
  const folder = join(root, '.cacp')
  const names = await readdir(folder).catch(() => [])
  const ignore = join(folder, '.gitignore')
  if (names.length !== 1 || names[0] !== '.gitignore' || (await readFile(ignore, 'utf8')) !== '*\n') return
  await rm(ignore)
  await rmdir(folder)
}
