import type { Command } from 'commander'
import type { Client } from '../../client.ts'
import { oneLine, shortened } from '../../domain/names/quoted.ts'
import type { ResultOf } from '../../methods/table.ts'
import { type CallFlags, callAndPrint, printResult, withDaemon } from '../derive/call-daemon.ts'
import { paint } from '../output/paint.ts'
import { printable, printableLine } from '../output/printable.ts'
import { reposOf } from '../output/repo-names.ts'
import { quoted } from '../output/shell-word.ts'
import { type Showing, showing, timeOn } from '../output/showing.ts'
import type { Terminal } from '../output/terminal.ts'
import { agentIdOption, idempotencyOption, withCommonOptions } from '../program/common-options.ts'
import { UsageError } from '../program/report.ts'
import { addContractWait } from './wait.ts'

interface TargetFlags extends CallFlags {
  readonly projectId?: string | undefined
}

interface AcceptFlags extends TargetFlags {
  readonly suggestion?: string | undefined
  readonly changeNote?: string | undefined
}

interface Target {
  readonly projectId: string
  readonly contractId: string
}

type Contract = ResultOf<'cacp/contract/get'>
type Diff = ResultOf<'cacp/contract/diff'>

const PROJECT = 'ID or name of its project (default: the current project, or the only one)'

/** Commands on contracts that say more than one method does, or say it in fewer words. */
export function addContractWords(group: Command, terminal: Terminal): void {
  onContract(group, 'accept')
    .description('Make a change that another repository suggested the next version.')
    .option(
      '--suggestion <number>',
      'which one, as `cacpd contract get` numbers them (default: the only one)',
    )
    .option('--change-note <text>', 'what changed, and why')
    .addOption(idempotencyOption())
    .addHelpText('after', example('accept', '--suggestion 2'))
    .action((word: string, flags: AcceptFlags) => accept(word, flags, terminal))
  const diff = group.commands.find((one) => one.name() === 'diff')
  if (diff !== undefined) showDiff(diff, terminal)
  onContract(group, 'history')
    .description('Show all versions of a contract, oldest first, with who said what about each.')
    .addHelpText('after', example('history'))
    .action((word: string, flags: TargetFlags) => showHistory(word, flags, terminal))
  addContractWait(onContract(group, 'wait'), terminal)
  withCommonOptions(group.command('ready'))
    .description(
      'List the contracts that can be built: in force, not implemented yet, with all that they depend on in force.',
    )
    .option('--project-id <text>', PROJECT)
    .addOption(agentIdOption())
    .addHelpText('after', "\nExample:\n  cacpd contract ready --project-id 'User Auth Feature'")
    .action(async (flags: TargetFlags) => {
      const params = { projectId: flags.projectId, ready: true }
      await callAndPrint({ method: 'cacp/contract/list', params, flags, terminal })
    })
}

const onContract = (group: Command, name: string): Command =>
  withCommonOptions(group.command(name))
    .argument('<contract>', 'its ID or name')
    .option('--project-id <text>', PROJECT)
    .addOption(agentIdOption())

const example = (verb: string, ...more: string[]): string =>
  `\nExample:\n  ${['cacpd contract', verb, "'Get User Profile'", ...more].join(' ')}`

async function accept(word: string, flags: AcceptFlags, terminal: Terminal): Promise<void> {
  const { suggestion, changeNote, idempotencyKey } = flags
  const result = await withDaemon(flags, terminal, async (client) => {
    const target = await targetOf(client, word, flags)
    const contract = await client.call('cacp/contract/get', target)
    const { response_id: acceptSuggestion } = chosen(contract, suggestion)
    const params = {
      ...target,
      acceptSuggestion,
      version: contract.version,
      ...(changeNote && { changeNote }),
    }
    return client.call('cacp/contract/update', params, { idempotencyKey })
  })
  printResult(result, flags, terminal)
}

function chosen({ name, suggestions = [], responses }: Contract, number: string | undefined) {
  const open = suggestions.filter(({ acceptable }) => acceptable)
  const said = new Map(responses.map((one) => [one.response_id, one.suggested_change]))
  const listed = suggestions.map(
    (one) =>
      `${one.number}: ${one.repo} ${one.comment || 'without a comment'}: ${shortened(JSON.stringify(said.get(one.response_id)) ?? '', SUGGESTION_LENGTH)}${one.acceptable ? '' : ' (in words: write the content yourself)'}`,
  )
  const all = printable(oneLine(listed.join('; ')))
  const called = quoted(printableLine(name))
  const write = `Write the next version yourself: cacpd contract update --contract-id ${called} --content JSON`
  if (suggestions.length === 0)
    throw new NothingToAccept(
      `Nobody suggests a change of ${printableLine(name)} that was not met`,
      `See who said what with cacpd contract history ${called}`,
    )
  const found = number === undefined ? open : open.filter((one) => String(one.number) === number)
  const [only, ...others] = found
  if (only !== undefined && others.length === 0) return only
  if (open.length === 0) throw new NothingToAccept(`No suggestion can be accepted as it is: ${all}`, write)
  throw number === undefined
    ? new UsageError(
        `Choose one with --suggestion: ${all}`,
        `cacpd contract accept ${called} --suggestion NUMBER`,
      )
    : new UsageError(
        `--suggestion: there is no ${printableLine(number)} that can be accepted. Open are ${all}`,
      )
}

/** Of a suggestion, so that it can be told from another one. */
const SUGGESTION_LENGTH = 120

/** The command line is right, but there is nothing to accept as the contract stands. */
class NothingToAccept extends Error {
  override readonly name = 'NothingToAccept'
  readonly kind = 'conflict'
  readonly next: string

  constructor(message: string, next: string) {
    super(message)
    this.next = next
  }
}

/** Below the command that the method has by itself: what it compares stands behind the contract. */
function showDiff(command: Command, terminal: Terminal): void {
  command
    .argument('[from]', 'a version (default: the one in force, or the one before the newest)')
    .argument('[to]', 'a version (default: the newest)')
    .action(async (word?: string, from?: string, to?: string) => {
      const flags = command.opts<
        TargetFlags & { contractId?: string; fromVersion?: number; toVersion?: number }
      >()
      const named = word ?? flags.contractId
      if (named === undefined) throw new UsageError('Name the contract: CONTRACT, its ID or name')
      const { fromVersion, toVersion } = flags
      const result = await withDaemon(flags, terminal, async (client) =>
        client.call('cacp/contract/diff', {
          ...(await targetOf(client, named, flags)),
          ...versionAs('fromVersion', from ?? fromVersion),
          ...versionAs('toVersion', to ?? toVersion),
        }),
      )
      if (flags.json === true) return printResult(result, flags, terminal)
      terminal.print(`${describeDiff(result, terminal)}\n`)
    })
}

function versionAs<Key extends string>(
  key: Key,
  given: string | number | undefined,
): { [Version in Key]?: number } {
  if (given === undefined) return {}
  if (!/^[1-9]\d{0,8}$/.test(String(given))) throw new UsageError(`${key}: must be the number of a version`)
  return { [key]: Number(given) } as { [Version in Key]?: number }
}

const LINES = { '+': 'green', '-': 'red', '~': 'yellow' } as const

function describeDiff({ name, from, to, differences, truncated, parties }: Diff, terminal: Terminal): string {
  const lines = differences.map(({ mark, path, before, after }) => {
    const values = [before, after]
      .filter((value) => value !== undefined)
      .map((value) => JSON.stringify(value))
    return paint(
      LINES[mark],
      printableLine(`${mark} ${path || 'everything'}: ${values.join(' → ')}`),
      terminal,
    )
  })
  const { added = [], removed = [] } = parties ?? {}
  const others = [
    ...added.map((repo) => paint(LINES['+'], printableLine(`+ party ${repo}`), terminal)),
    ...removed.map((repo) => paint(LINES['-'], printableLine(`- party ${repo}`), terminal)),
  ]
  const all = [...others, ...lines]
  return [
    printableLine(`${name}: ${from === null ? 'nothing' : described(from)} → ${described(to)}`),
    ...(all.length === 0 ? ['no difference in their content'] : all),
    ...(truncated === true ? ['and more'] : []),
  ].join('\n')
}

function described({ version, proposedBy, agreed, inForce, retire }: Diff['to']): string {
  const standing = inForce ? 'in force' : agreed ? 'agreed' : 'proposed'
  return `version ${version} (${standing}, by ${proposedBy}${retire ? ', its end' : ''})`
}

async function showHistory(word: string, flags: TargetFlags, terminal: Terminal): Promise<void> {
  const { contract, repos } = await withDaemon(flags, terminal, async (client) => {
    const target = await targetOf(client, word, flags)
    return {
      contract: await client.call('cacp/contract/get', { ...target, includeHistory: true }),
      repos: await reposOf(client, target.projectId),
    }
  })
  if (flags.json === true) return printResult(contract, flags, terminal)
  terminal.print(`${describeHistory(contract, (id) => repos.get(id) ?? id, showing(terminal, flags))}\n`)
}

function describeHistory(contract: Contract, repo: (id: string) => string, terminal: Showing): string {
  const { history = [], head, version, proposed_by, responses, verifications, inForce, earlier } = contract
  const versions = [...history, { ...head, version, proposed_by }]
  const lines = versions.flatMap((one) => {
    const standing =
      inForce?.revision === one.revision
        ? 'in force'
        : one.agreed
          ? 'agreed'
          : one.revision === head.revision && contract.withdrawn !== true
            ? 'proposed'
            : 'not agreed'
    const note = one.change_notes === '' ? '' : `: ${one.change_notes}`
    const answers = responses.filter(({ revision }) => revision === one.revision)
    const judged = verifications.filter(({ revision }) => revision === one.revision)
    const before = versions.find(({ revision }) => revision === one.parent)
    const parties = before === undefined ? '' : partiesText(before.parties, one.parties, repo)
    return [
      `${paint('bold', `version ${one.version}`, terminal)} ${printable(oneLine(`by ${repo(one.proposed_by)}, ${timeOn(terminal, one.timestamp)}, ${standing}${one.retire === true ? ', its end' : ''}${note}${parties}`))}`,
      ...answers.map(
        ({ repo_id, action, comment }) =>
          `  ${printable(oneLine(`${repo(repo_id)}: ${action}${comment === '' ? '' : `: ${comment}`}`))}`,
      ),
      ...judged.map((each) => `  ${printable(oneLine(verificationText(each, repo)))}`),
    ]
  })
  const cut = earlier === undefined ? [] : [`and ${earlier.count} earlier words; --json has where to go on`]
  return [...lines, ...cut].join('\n')
}

function partiesText(
  before: readonly string[],
  after: readonly string[],
  repo: (id: string) => string,
): string {
  const added = after
    .filter((id) => !before.includes(id))
    .map((id) => `+${repo(id)}`)
    .sort()
  const removed = before
    .filter((id) => !after.includes(id))
    .map((id) => `-${repo(id)}`)
    .sort()
  const changed = [...added, ...removed]
  return changed.length === 0 ? '' : `; parties: ${changed.join(' ')}`
}

function verificationText(
  { repo_id, result, blames = [], notes }: Contract['verifications'][number],
  repo: (id: string) => string,
): string {
  const blamed = blames.length === 0 ? '' : `, blames ${blames.map(repo).sort().join(', ')}`
  return `${repo(repo_id)}: verification: ${result}${blamed}${notes === '' ? '' : `: ${notes}`}`
}

/** A daemon takes beginnings of ids only to show something, so what is meant is found out before. */
async function targetOf(client: Client, word: string, { projectId }: TargetFlags): Promise<Target> {
  const found = await client.call('cacp/lookup', { projectId, contracts: [word] })
  return { projectId: found.projectId, contractId: found.contractIds[0] ?? word }
}
