import { join } from 'node:path'
import { loadConfig } from '../../config/config.ts'
import { findRoot } from '../../io/place/discover-repo.ts'
import { ownCommand } from '../../io/place/own-command.ts'
import { checkSetup, chosenFiles, findingOf, type SetupFinding } from '../../io/setup/check-setup.ts'
import { detectAgents } from '../../io/setup/detect-agents.ts'
import { loadRecord } from '../../io/setup/record-file.ts'
import { removeSetup } from '../../io/setup/remove-setup.ts'
import { previewSetup, type Setup, setUp } from '../../io/setup/set-up.ts'
import { isLeft, type Step } from '../../io/setup/step.ts'
import { AGENT_NAMES, type Agent, isAgent } from '../../setup/agents.ts'
import { setupFiles } from '../../setup/files.ts'
import { command } from '../form/command.ts'
import type { Given } from '../form/given.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError, UsageError } from '../program/report.ts'
import { describeRemoval, describeSetup, describeState } from './init-report.ts'

const OPTIONS = {
  '--agents <names>':
    'claude, codex, cursor, vscode; several with commas (default: those that are used here)',
  '--hooks': 'also tell them what is new at the start of a session, with a prompt and at the end',
  '--here': 'in this folder, also where there is no git repository',
  '--dry-run': 'show what would be written, and write nothing',
  '--check': 'only say whether all is in place; exit code 1 if not',
  '--remove': 'take out all that was put in, to the byte where nobody else changed the file',
  '--json': 'print JSON, also for errors',
} as const

type InitFlags = Given<Record<never, never>, typeof OPTIONS>

/** What coding agents need to find this daemon is put into their files, and taken out again. */
export const init = command({
  about: 'set up the coding agents of this repository, or undo that',
  isCommon: false,
  options: OPTIONS,
  note: 'Nothing else in these files is touched, no git command is run, and no key or port is written anywhere.',
  examples: [
    'cacpd init --dry-run',
    'cacpd init --agents claude,codex --hooks',
    'cacpd init --check',
    'cacpd init --remove',
  ],
  run: async (flags, terminal) => {
    const { check = false, remove = false, dryRun = false } = flags
    if (check && (remove || dryRun))
      throw new UsageError('--check only looks: leave out --remove and --dry-run')
    if (remove && (flags.agents !== undefined || flags.hooks === true))
      throw new UsageError('--remove takes out everything: leave out --agents and --hooks')
    const named = flags.agents === undefined ? undefined : readAgents(flags.agents)
    const asked = { root: await chooseRoot(flags, terminal), named, flags, terminal }
    if (check) return showState(asked)
    return remove ? undo(asked) : put(asked)
  },
})

interface Asked {
  readonly root: string
  /** Undefined if nobody said which agents. */
  readonly named: readonly Agent[] | undefined
  readonly flags: InitFlags
  readonly terminal: Terminal
}

async function put(asked: Asked): Promise<void> {
  const { root, named, flags, terminal } = asked
  const { agents, isGuess } = await chooseAgents(root, named, terminal)
  const before = (await loadRecord(root))?.hooks ?? []
  const hooks = flags.hooks === true ? agents : before.filter((agent) => agents.includes(agent))
  const files = await allFiles(await guessSettings(root), terminal)
  const setup: Setup = { root, agents, hooks, files: chosenFiles(files, { agents, hooks }) }
  const steps = await (flags.dryRun === true ? previewSetup(setup) : setUp(setup))
  const command = await ownCommand(terminal.env)
  const result = { root, dryRun: flags.dryRun === true, agents, hooks, files: steps }
  tell(result, asked, () =>
    describeSetup({ ...result, isGuess, isPortable: command.args.length === 0 }, terminal),
  )
}

async function undo(asked: Asked): Promise<void> {
  const { root, flags, terminal } = asked
  const isDryRun = flags.dryRun === true
  const steps = await removeSetup({ root, files: await allFiles({}, terminal), isDryRun })
  const result = { root, dryRun: isDryRun, files: steps }
  tell(result, asked, () => describeRemoval(result, terminal))
}

async function showState({ root, named, flags, terminal }: Asked): Promise<void> {
  const known = await checkSetup(root, terminal.env)
  const agents = named ?? (known.agents.length > 0 ? known.agents : undefined)
  const isAsked = named !== undefined || (flags.hooks === true && known.isSetUp)
  const command = [
    'cacpd init',
    ...(named === undefined ? [] : [`--agents ${named.join(',')}`]),
    ...(flags.hooks === true ? ['--hooks'] : []),
  ].join(' ')
  let state = known
  if (isAsked && agents !== undefined) {
    const chosen = { agents, hooks: flags.hooks === true ? agents : [] }
    const files = chosenFiles(await allFiles({}, terminal), chosen)
    const steps = await previewSetup({ root, ...chosen, files })
    state = { isSetUp: true, ...chosen, findings: steps.flatMap((step) => findingOf(step, command)) }
  }
  const result = { root, ...state }
  if (!state.isSetUp)
    throw unfinished(
      `No agent of ${root} is set up`,
      `Run \`${command}\`, or \`${command} --dry-run\` first`,
      result,
    )
  if (flags.json !== true) terminal.print(describeState(result, terminal))
  if (state.findings.length > 0)
    throw unfinished(attention(state.findings.length), nextFor(state.findings, command), result)
  if (flags.json === true) terminal.print(`${JSON.stringify(result)}\n`)
}

const attention = (count: number): string =>
  count === 1 ? 'One of these needs attention' : `${count} of these need attention`

/** What `init` leaves alone, it leaves alone the next time too. */
const nextFor = (findings: readonly SetupFinding[], command: string): string =>
  findings.some(({ isPaste }) => isPaste)
    ? `Mend what is said above, and run \`${command}\``
    : `Run \`${command}\``

/** Prints what was done; what was left alone makes it a failure, after all else has been done. */
function tell(result: { files: readonly Step[] }, { flags, terminal }: Asked, describe: () => string): void {
  const left = result.files.filter(isLeft)
  if (flags.json !== true) terminal.print(describe())
  if (left.length > 0)
    throw unfinished(
      `Left as ${left.length === 1 ? 'it is' : 'they are'}: ${left.map(({ path }) => path).join(', ')}`,
      'Mend what is said above, and run the same again',
      result,
    )
  if (flags.json === true) terminal.print(`${JSON.stringify(result)}\n`)
}

/** Not all is as it should be; what could be done has been done. */
const unfinished = (message: string, next: string, data: unknown): CommandError =>
  new CommandError(message, 'unfinished', next, data)

async function chooseRoot({ here }: InitFlags, { cwd }: Terminal): Promise<string> {
  const { root, isRepository } = await findRoot(cwd)
  if (isRepository || here === true) return root
  throw unfinished(
    `${cwd} is in no git repository`,
    'Go to the repository, run `git init` first, or say --here to set up this folder all the same',
    {},
  )
}

function readAgents(text: string): Agent[] {
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !isAgent(name))
  if (unknown !== undefined)
    throw new UsageError(`--agents: ${JSON.stringify(unknown)} is none of ${AGENT_NAMES.join(', ')}`)
  return [...new Set(names.filter(isAgent))]
}

/** Without --agents: those of the last time, else those in use here, else Claude Code. */
async function chooseAgents(root: string, named: readonly Agent[] | undefined, { env }: Terminal) {
  if (named !== undefined) return { agents: named, isGuess: false }
  const before = (await loadRecord(root))?.agents ?? []
  if (before.length > 0) return { agents: before, isGuess: false }
  const found = await detectAgents(root, env)
  return { agents: found.length > 0 ? found : (['claude'] as const), isGuess: true }
}

const allFiles = async (settings: Readonly<Record<string, string>>, { env }: Terminal) =>
  setupFiles({ command: await ownCommand(env), settings, isWindows: process.platform === 'win32' })

/** What other repositories know this one by must not change because a file came or went. Nothing if it is not known yet. */
async function guessSettings(root: string): Promise<Readonly<Record<string, string>>> {
  // Settings that are there, also broken ones, are none of our business.
  const flags = { data: join(root, '.cacp') }
  const config = await loadConfig({ flags, env: {}, cwd: root }).catch(() => undefined)
  if (config === undefined) return {}
  const { repo, role, language } = config
  return language === 'unknown' && role === 'shared' ? { repo } : { repo, role, language }
}
