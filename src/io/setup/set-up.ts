import { realpath } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import type { Agent } from '../../setup/agents.ts'
import type { PlannedFile } from '../../setup/files.ts'
import { type Plan, planSetup } from '../../setup/plan.ts'
import { NO_RECORD, recordText, type SetupRecord } from '../../setup/record.ts'
import { DataDirError } from '../place/data-dir.ts'
import { type Found, findFile, whyNot } from './place.ts'
import { assertOwnFolder, loadRecord, makeDataFolder, saveRecord } from './record-file.ts'
import { type Step, stepOf, takeStep } from './step.ts'
import { removeStaleTemporaries } from './write-text.ts'

export interface Setup {
  readonly root: string
  /** The files to write, out of all there are. */
  readonly files: readonly PlannedFile[]
  readonly agents: readonly Agent[]
  /** The agents that get hooks too. */
  readonly hooks: readonly Agent[]
}

interface Planned {
  readonly file: PlannedFile
  readonly found: Found | undefined
  readonly plan: Plan
}

export async function previewSetup({ root, files }: Setup): Promise<Step[]> {
  const planned = await planAll(root, files, (await loadRecord(root)) ?? NO_RECORD)
  return planned.flatMap(({ file, plan }) => stepOf(file, plan))
}

/**
 * Writes what is missing or differs, and nothing else. The record of what will be done is written first, so that
 * everything can be completed or undone after a crash.
 */
export async function setUp(setup: Setup): Promise<Step[]> {
  const { root, files } = setup
  await assertOwnFolder(root)
  await removeStaleTemporaries(root)
  const old = (await loadRecord(root)) ?? NO_RECORD
  const planned = await planAll(root, files, old)
  const record = await recordOf(setup, old, planned)
  if (recordText(record) !== recordText(old)) await remember(root, record)
  const steps: Step[] = []
  for (const { file, found, plan } of planned)
    steps.push(...(await takeStep(file, plan, { root, target: found?.target ?? '' })))
  return steps
}

async function remember(root: string, record: SetupRecord): Promise<void> {
  try {
    await makeDataFolder(root)
    await saveRecord(root, record)
  } catch (error) {
    throw new DataDirError(
      `Nothing was set up: .cacp in ${root} ${whyNot(error)}`,
      'Run this as the user to whom the repository belongs, and see that .cacp is a folder',
      error,
    )
  }
}

async function planAll(root: string, files: readonly PlannedFile[], record: SetupRecord): Promise<Planned[]> {
  const planned: Planned[] = []
  for (const file of files) {
    const found = await findFile(root, file.path)
    if ('problem' in found)
      planned.push({ file, found: undefined, plan: { did: 'left', why: found.problem } })
    // A symbolic link may make two of the files one; the first of them has all that is needed.
    else if (!planned.some((other) => other.found?.target === found.target))
      planned.push({ file, found, plan: planSetup(file, found.text, record.files[file.path]) })
  }
  return planned
}

async function recordOf(setup: Setup, old: SetupRecord, planned: readonly Planned[]): Promise<SetupRecord> {
  const base = await realpath(setup.root)
  const written = planned.flatMap(({ file, found, plan }) =>
    'record' in plan && found !== undefined ? [{ path: file.path, found, record: plan.record }] : [],
  )
  const missing = written.flatMap(({ found }) => found.missing)
  const folders = missing.map((folder) => relative(base, folder).split(sep).join('/'))
  const isNothing = written.length === 0 && old === NO_RECORD
  return {
    version: 1,
    agents: isNothing ? [] : [...new Set([...old.agents, ...setup.agents])],
    hooks: isNothing ? [] : [...new Set([...old.hooks, ...setup.hooks])],
    files: { ...old.files, ...Object.fromEntries(written.map(({ path, record }) => [path, record])) },
    folders: [...new Set([...old.folders, ...folders])],
  }
}
