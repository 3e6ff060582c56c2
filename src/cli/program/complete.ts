import { resolve } from 'node:path'
import type { Command, Option } from 'commander'
import { callQuickly, type QuickCall } from '../../io/outbound/quick-call.ts'
import { findDaemon } from '../../io/place/find-daemon.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { isPlainLabel } from '../../protocol/words.ts'
import { CLIENTS } from '../../setup/hooks/clients.ts'
import { METHOD_GROUPS } from '../derive/method-groups.ts'
import { pathOf } from '../output/command-at.ts'
import type { Terminal } from '../output/terminal.ts'
import { fillCommand } from './program.ts'

/** How long somebody who pressed Tab is kept waiting. */
const PATIENCE_MILLIS = 800
const MOST = 200

/** For each kind of thing: the method that lists it, where the list is in the answer, and its keys for name and ID. */
const QUESTIONS: Readonly<Record<Offered, Question>> = {
  project: { method: 'cacp/project/overview', list: 'projects', id: 'projectId' },
  contract: { method: 'cacp/contract/list', list: 'contracts', id: 'contractId', isIn: 'project' },
  packet: {
    method: 'cacp/context/list',
    list: 'packets',
    name: 'content.question',
    id: 'packet_id',
    isIn: 'project',
  },
  repo: { method: 'cacp/project/get', list: 'repos', id: 'repo_id', isIn: 'project' },
  peer: { method: 'cacp/peer/list', list: 'peers', name: 'repoName', id: 'agentId' },
  item: { method: 'cacp/inbox/list', list: 'items', name: 'about.name', id: 'id' },
  question: { method: 'cacp/inbox/list', list: 'items', name: 'about.name', id: 'id', about: 'packet' },
}

interface Question {
  readonly method: string
  readonly list: string
  /** Keys, from the outermost on; default: `name`. */
  readonly name?: string
  readonly id: string
  readonly isIn?: 'project'
  /** Of items, only those about a thing of this kind. */
  readonly about?: string
}

type Offer = readonly [word: string, about?: string]

/**
 * `cacpd complete -- WORDS`: prints a line for each word that can stand in the place of the last one, with what it is,
 * for the shell that asks.
 */
export async function offerWords(words: readonly string[], program: Command, terminal: Terminal) {
  const [typed, begun = ''] = [words.slice(0, -1), words.at(-1)]
  const command = await commandIn(program, typed.slice(1), terminal)
  const before = typed.at(-1)
  const option = optionsOf(command).find(
    ({ required, short, long }) => required && [short, long].includes(before),
  )
  const offers = option?.argChoices?.map((choice): Offer => [choice]) ?? (await named())
  terminal.print(offers.map((offer) => `${offer.join('\t')}\n`).join(''))

  async function named(): Promise<readonly Offer[]> {
    const kind = kindBehind(command, option?.long ?? undefined)
    const isValue = kind !== undefined && !begun.startsWith('-')
    // While somebody types, errors are left to the command itself.
    const values = isValue ? await valuesFor(QUESTIONS[kind], typed, terminal).catch(() => []) : []
    // Where nothing is offered, a shell goes on with paths.
    return values.length > 0 || option !== undefined ? values.map((value) => [value]) : wordsBelow(command)
  }
}

/** Goes down as long as the words name a command; options and what follows them are skipped over. */
async function commandIn(program: Command, words: readonly string[], terminal: Terminal): Promise<Command> {
  let command = program
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word)
    if (below === undefined) continue
    if (command === program) await fillCommand(below, terminal)
    command = below
  }
  return command
}

/** What kind of thing is to be typed: behind an option, or else as an argument of the command. */
function kindBehind(command: Command, option: string | undefined): Offered | undefined {
  const [argument] = command.registeredArguments
  if (option === undefined) return NAMED_ARGUMENTS.find((name) => name === argument?.name())
  const named = Object.entries(NAMED_OPTIONS).find(([, options]) => options.includes(option))
  return NAMED_AT[`${pathOf(command)} ${option}`] ?? (named?.[0] as Offered | undefined)
}

/** A group hands its options to the command below it that it stands for. */
function optionsOf(command: Command): readonly Option[] {
  const meant = command.commands.find((one) => one.name() === METHOD_GROUPS[command.name()]?.alone)
  return [command, ...(meant === undefined ? [] : [meant])].flatMap((one) =>
    one.createHelp().visibleOptions(one),
  )
}

function wordsBelow(command: Command): Offer[] {
  const help = command.createHelp()
  const firstLine = (text: string) => text.split('\n', 1)[0] ?? ''
  return [
    ...help.visibleCommands(command).map((one) => [one.name(), firstLine(one.description())] as const),
    ...(command.name() === 'hook' ? CLIENTS : []).map((client) => [client] as const),
    ...optionsOf(command).flatMap(({ long, description }) =>
      long == null ? [] : [[long, firstLine(description)] as const],
    ),
  ]
}

async function valuesFor(question: Question, words: readonly string[], { env, cwd }: Terminal) {
  const after = (options: readonly string[]) => {
    const at = words.findLastIndex((word) => options.includes(word.split('=', 1)[0] ?? ''))
    const [, joined] = /^[^=]*=(.*)$/s.exec(words[at] ?? '') ?? []
    return at < 0 ? undefined : (joined ?? words[at + 1])
  }
  const folder = words[1] === '-C' ? resolve(cwd, words[2] ?? '.') : cwd
  const daemon = await findDaemon({ dataDir: after(['--data']), env, cwd: folder })
  const signal = AbortSignal.timeout(PATIENCE_MILLIS)
  const [answer] = await callQuickly(daemon, [callFor(question, after(NAMED_OPTIONS.project))], signal)
  const { result } = answer ?? {}
  const rows = isJsonObject(result) ? result[question.list] : undefined
  const isMeant = (row: JsonObject) =>
    question.about === undefined || textAt(row, 'about.kind') === question.about
  const found = Array.isArray(rows) ? rows.filter(isJsonObject).filter(isMeant).slice(0, MOST) : []
  const names = found.map((row) => textAt(row, question.name ?? 'name'))
  // A name that several go by names none of them.
  const isClear = (name: string) =>
    isPlainLabel(name) && name !== '' && names.indexOf(name) === names.lastIndexOf(name)
  return found
    .map((row, index) => (isClear(names[index] ?? '') ? (names[index] ?? '') : textAt(row, question.id)))
    .filter((value) => value !== '' && isPlainLabel(value))
}

function textAt(row: JsonObject, keys: string): string {
  let value: unknown = row
  for (const key of keys.split('.')) value = isJsonObject(value) ? value[key] : undefined
  return typeof value === 'string' ? value : ''
}

function callFor({ method, list, isIn }: Question, project: string | undefined): QuickCall {
  const named = isIn === undefined || project === undefined ? {} : { projectId: project }
  if (list === 'peers') return { method, params: {} }
  if (list === 'repos') return { method, params: { ...named, parts: ['repos'] } }
  return { method, params: { ...named, limit: MOST } }
}

/** What stands behind an option, so that a shell can offer it. */
type Offered = 'project' | 'contract' | 'packet' | 'repo' | 'peer' | 'item' | 'question'

/** By the option that names it, whatever the command. A test holds them and the params of all methods together. */
export const NAMED_OPTIONS: Readonly<Record<Exclude<Offered, 'question'>, readonly string[]>> = {
  project: ['--project-id', '--project'],
  contract: ['--contract-id', '--contract', '--contracts', '--related-contracts', '--depends-on'],
  packet: ['--packet-id', '--packet', '--packets', '--reply-to'],
  repo: ['--repo-name', '--repo', '--repos', '--parties', '--add-parties', '--blames', '--with'],
  peer: ['--peer', '--to', '--agent', '--replaces', '--replace'],
  item: ['--item-id'],
}

/** The same where an option names something else than in other commands. */
const NAMED_AT: Readonly<Record<string, Offered>> = {
  'cacpd say --to': 'repo',
  'cacpd context share --to': 'repo',
}

/** A command's first argument of such a name means that, too. */
const NAMED_ARGUMENTS: readonly Offered[] = ['project', 'contract', 'peer', 'item', 'question']
