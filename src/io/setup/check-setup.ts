import type { Agent } from '../../setup/agents.ts'
import { type PlannedFile, setupFiles } from '../../setup/files.ts'
import { planRemoval } from '../../setup/plan.ts'
import { type Env, ownCommand } from '../place/own-command.ts'
import { findFile } from './place.ts'
import { loadRecord } from './record-file.ts'
import { previewSetup, type Setup, setUp } from './set-up.ts'
import type { Step } from './step.ts'

/** Something that is not as `cacpd init` would leave it. */
export interface SetupFinding {
  readonly path: string
  /** A sentence without its full stop. */
  readonly problem: string
  readonly fix: string
  readonly isPaste: boolean
}

export interface SetupState {
  readonly isSetUp: boolean
  readonly agents: readonly Agent[]
  /** The agents that have hooks too. */
  readonly hooks: readonly Agent[]
  readonly findings: readonly SetupFinding[]
}

/** How the agents of this repository are set up. Changes nothing. */
export async function checkSetup(root: string, env: Env): Promise<SetupState> {
  const setup = await knownSetup(root, env)
  if (setup === undefined) return { isSetUp: false, agents: [], hooks: [], findings: [] }
  const { agents, hooks } = setup
  return {
    isSetUp: true,
    agents,
    hooks,
    findings: (await previewSetup(setup)).flatMap((step) => findingOf(step)),
  }
}

/** Repairs what is set up here, and sets up nothing else. */
export async function repairSetup(root: string, env: Env): Promise<readonly Step[]> {
  const setup = await knownSetup(root, env)
  return setup === undefined ? [] : await setUp(setup)
}

async function knownSetup(root: string, env: Env): Promise<Setup | undefined> {
  const command = await ownCommand(env)
  const files = setupFiles({ command, settings: {}, isWindows: process.platform === 'win32' })
  const known = (await loadRecord(root)) ?? (await knownByTraces(root, files))
  if (known === undefined) return undefined
  const { agents, hooks } = known
  return { root, files: chosenFiles(files, known), agents, hooks }
}

/** The files for these agents, and those for all agents. */
export const chosenFiles = (
  files: readonly PlannedFile[],
  { agents, hooks }: Pick<SetupState, 'agents' | 'hooks'>,
): PlannedFile[] =>
  files.filter((file) => {
    const users = file.isHook ? hooks : agents
    return file.agents.length === 0 || file.agents.some((agent) => users.includes(agent))
  })

/** For a clone of a repository in which somebody else set it up and committed that. */
async function knownByTraces(root: string, files: readonly PlannedFile[]) {
  const ours: PlannedFile[] = []
  for (const file of files) {
    const found = await findFile(root, file.path)
    if (!('problem' in found) && planRemoval(file, found.text, undefined).did !== 'nothing') ours.push(file)
  }
  if (ours.length === 0) return undefined
  // A skill file that several agents read does not tell which of them are used.
  const users = (isHook: boolean) => [
    ...new Set(
      ours.flatMap((file) => (file.isHook === isHook && file.agents.length === 1 ? file.agents : [])),
    ),
  ]
  return { agents: users(false), hooks: users(true) }
}

/** `command` is the command that would repair it. */
export function findingOf(
  { path, purpose, did, why = '', paste = '' }: Step,
  command = 'cacpd init',
): SetupFinding[] {
  const byCommand = { path, fix: `Run \`${command}\``, isPaste: false }
  switch (did) {
    case 'created':
      return [{ ...byCommand, problem: `${path} is missing (${purpose})` }]
    case 'changed':
      return [{ ...byCommand, problem: `${path} lacks ${purpose}, or has it otherwise` }]
    case 'left':
      return [
        { path, problem: `${path} ${why}`, fix: `Mend it, or put this in by hand:\n${paste}`, isPaste: true },
      ]
    default:
      return []
  }
}
