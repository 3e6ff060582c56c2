import { type Command, Option } from 'commander'
import type { WatchFlags } from '../daemon/watch.ts'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, withCommonOptions } from '../program/common-options.ts'
import { UsageError } from '../program/report.ts'
import type { WaitFlags } from './wait.ts'

export const CONTRACT_STATUSES = ['proposed', 'negotiating', 'agreed', 'implemented', 'verified']
const PROJECT_STATUSES = ['planning', 'implementing', 'integrating', 'complete']

type Flags = WaitFlags & Readonly<Record<string, string | undefined>>

/** `cacpd wait …` and `cacpd watch`. */
export function addWaitCommands(program: Command, terminal: Terminal): void {
  const wait = program
    .command('wait')
    .description('wait until something is true: exits with 0 if so, and with 3 when the time is over')
    .helpCommand(false)
    .addHelpText('after', WAIT_EXAMPLES)
  const add = (name: keyof typeof WAITS, about: string, until: (flags: Flags) => object) =>
    withCommonOptions(wait.command(name))
      .description(about)
      .addHelpText('after', `\nExample:\n  cacpd wait ${name} ${WAITS[name]}`)
      .option('--timeout <seconds>', 'how long; 0: for ever (default: 50)')
      .addOption(agentIdOption())
      .action(async (flags: Flags) => (await import('./wait.ts')).waitUntil(until(flags), flags, terminal))
  add(
    'contract',
    'a contract is that far, or has a newer version',
    ({ project, contract, status, versionAbove }) => ({
      contract: {
        ...inProject(project),
        contractId: contract,
        ...(status === undefined ? {} : { statusAtLeast: status }),
        ...(versionAbove === undefined ? {} : { versionAbove: Number(versionAbove) }),
      },
    }),
  )
    .option('--project <project>', ITS_PROJECT)
    .requiredOption('--contract <contract>', 'ID or name of the contract')
    .addOption(new Option('--status <status>', 'that far, or further').choices(CONTRACT_STATUSES))
    .option('--version-above <number>', 'a newer version than that')
  add('question', 'a question is answered', ({ project, packet }) => ({
    question: { ...inProject(project), packetId: packet },
  }))
    .option('--project <project>', ITS_PROJECT)
    .requiredOption('--packet <packet>', 'the question: its ID, or what it asks')
  add('project', 'a project is that far, or further', ({ project, status }) => ({
    project: { ...inProject(project), status },
  }))
    .option('--project <project>', ITS_PROJECT)
    .addOption(new Option('--status <status>', 'that far').choices(PROJECT_STATUSES).makeOptionMandatory())
  add('inbox', 'there is something for this repository to do', () => ({ inbox: {} }))
  add('feed', 'something changed', ({ since }) => ({ feed: { since } })).option(
    '--since <cursor>',
    'since then; a cursor as `cacpd feed --json` answers it (default: now)',
  )
  add('any', 'the first of several is true, each as JSON like `until` of cacp/wait', () => ({}))
    .argument('<condition...>', 'such as \'{"inbox":{}}\'')
    .action(async (conditions: string[], flags: Flags) =>
      (await import('./wait.ts')).waitUntil({ any: conditions.map(conditionFrom) }, flags, terminal),
    )
  withCommonOptions(program.command('watch'))
    .description('show what changes, one line each, until it is ended')
    .option('--lines', 'one line each (as it always is)')
    .option('--since <cursor>', 'first what changed since then')
    .option('--project <project>', 'ID or name: only in this project')
    .option('--kind <kinds>', 'only these kinds, separated by commas: contract, packet, …')
    .option('--count <number>', 'end after so many')
    .addHelpText('after', WATCH_EXAMPLES)
    .action(async (flags: WatchFlags) => (await import('../daemon/watch.ts')).watch(flags, terminal))
}

const ITS_PROJECT = 'ID or name of the project (default: the current one, or the only one)'

const inProject = (project: string | undefined): object =>
  project === undefined ? {} : { projectId: project }

function conditionFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${text}: is no JSON`, `For example cacpd wait any ${WAITS.any}`)
  }
}

const PROJECT = "--project 'User Auth Feature'"

/** An example of each, without the name. */
const WAITS = {
  contract: "--contract 'Get User Profile' --status agreed",
  question: '--packet 3f0e7a52-9d1c-4b6e-8a27-5c1d9e40b7f3',
  project: `${PROJECT} --status integrating`,
  inbox: '--timeout 0',
  feed: '--timeout 300',
  any: `'{"inbox":{}}' '{"project":{"projectId":"User Auth Feature","status":"complete"}}'`,
}

const WAIT_EXAMPLES = `
Examples:
  cacpd wait inbox ${WAITS.inbox}
  cacpd wait contract ${WAITS.contract} && npm test`

const WATCH_EXAMPLES = `
Examples:
  cacpd watch
  cacpd watch --kind contract --json`
