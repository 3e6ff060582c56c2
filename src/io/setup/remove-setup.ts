import { readdir, readFile, realpath, rm, rmdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlannedFile } from '../../setup/files.ts'
import { planRemoval, type RemovalPlan } from '../../setup/plan.ts'
import { NO_RECORD, type SetupRecord } from '../../setup/record.ts'
import { findFile, isInside, whyNot } from './place.ts'
import { assertOwnFolder, forgetRecord, loadRecord, makeDataFolder, saveRecord } from './record-file.ts'
import type { Step } from './step.ts'
import { writeText } from './write-text.ts'

export interface SetupRemoval {
  readonly root: string
  readonly files: readonly PlannedFile[]
  readonly isDryRun: boolean
}

/**
 * Undoes everything that was ever set up here. The record is removed last, so that after a crash the rest can be
 * undone; files that could not be undone stay in it.
 */
export async function removeSetup({ root, files, isDryRun }: SetupRemoval): Promise<Step[]> {
  await assertOwnFolder(root)
  const record = await loadRecord(root)
  const wasThere = await stat(join(root, '.cacp')).catch(() => undefined)
  const steps: Step[] = []
  for (const file of files) {
    const step = await takeOne(root, file, record, isDryRun)
    if (step !== undefined) steps.push(step)
  }
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

async function takeOne(
  root: string,
  file: PlannedFile,
  record: SetupRecord | undefined,
  isDryRun: boolean,
): Promise<Step | undefined> {
  const { path, purpose } = file
  const remembered = record?.files[path]
  const left = (why: string): Step => ({ path, purpose, did: 'left', why, paste: file.paste })
  const found = await findFile(root, path)
  if ('problem' in found) return remembered === undefined ? undefined : left(found.problem)
  const plan = planRemoval(file, found.text, remembered)
  if (plan.kind === 'nothing') return undefined
  if (plan.kind === 'refused') return left(plan.reason)
  try {
    if (!isDryRun) await carryOut(root, found.target, plan)
  } catch (error) {
    return left(whyNot(error))
  }
  if (plan.kind === 'delete') return { path, purpose, did: 'removed' }
  return { path, purpose, did: plan.isExact ? 'restored' : 'stripped', lines: plan.shown }
}

async function carryOut(root: string, target: string, plan: RemovalPlan): Promise<void> {
  if (plan.kind === 'delete') await rm(target)
  if (plan.kind !== 'write') return
  await makeDataFolder(root)
  await writeText(root, target, plan.text)
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
