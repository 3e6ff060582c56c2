import { type Command, Option } from 'commander'
import type { Client } from '../../client.ts'
import type { AnyMethod } from '../../methods/row.ts'
import * as work from '../../methods/runs/work.ts'
import type { ResultOf } from '../../methods/table.ts'
import { type CallFlags, printResult, withDaemon } from '../derive/call-daemon.ts'
import { assertValid, paramOptions, readParams } from '../derive/param-options.ts'
import { parametersOf } from '../derive/parameters.ts'
import { withWholeIds } from '../derive/whole-ids.ts'
import { progressLine } from '../output/progress-line.ts'
import { sameDaemon } from '../output/shell-word.ts'
import { idMeant } from '../output/short-ids.ts'
import { showing } from '../output/showing.ts'
import type { Terminal } from '../output/terminal.ts'
import { Ended, UsageError } from '../program/report.ts'
import { answerOf, describeWork, describeWorks } from './report.ts'

type Values = CallFlags & Record<string, unknown>
type Params = Readonly<Record<string, unknown>>

/** How long one look waits for news; the daemon answers sooner when there is some. */
const WAIT_SECONDS = 20
/** As many as the daemon lists in one call. */
const MOST_LOOKED_AT = 1000

/** Lets people say `cacpd work send PEER TYPE` and `cacpd work get ID`, besides the options of the methods. */
export function addWorkWords(group: Command, terminal: Terminal): void {
  for (const command of group.commands) {
    if (command.name() === 'send') addSendWords(command, terminal)
    if (command.name() === 'get') addGetWords(command, terminal)
    if (command.name() === 'cancel') addCancelWords(command, terminal)
    if (command.name() === 'list') showAsTable(command, terminal)
  }
}

function addGetWords(command: Command, terminal: Terminal): void {
  addIdWord(command)
    .addOption(waitOption())
    .addHelpText('after', '  cacpd work get 01934a7e-51b3-7c08-9d1e-2b6f0a4c8d57 --wait')
    .action(async (word: string | undefined) => {
      const values = command.opts<Values>()
      const params = await idParams(work.get, word, values, terminal)
      if (values['wait'] === true)
        return waitAndPrint((client) => workMeant(params, client), values, terminal)
      const shown = await withDaemon(values, terminal, async (client) =>
        client.call('cacp/work/get', { ...params, workId: await workMeant(params, client) }),
      )
      print(shown, values, terminal)
    })
}

function addCancelWords(command: Command, terminal: Terminal): void {
  addIdWord(command).action(async (word: string | undefined) => {
    const values = command.opts<Values>()
    const params = await idParams(work.cancel, word, values, terminal)
    const shown = await withDaemon(values, terminal, async (client) =>
      client.call('cacp/work/cancel', { workId: await workMeant(params, client) }),
    )
    print(shown, values, terminal)
  })
}

function showAsTable(command: Command, terminal: Terminal): void {
  command.action(async () => {
    const values = command.opts<Values>()
    const params = await paramsOf(work.list, values, terminal)
    const shown = await withDaemon(values, terminal, (client) =>
      client.call('cacp/work/list', params as never),
    )
    if (values.json === true) printResult(shown, values, terminal)
    else terminal.print(`${describeWorks(shown.works, showing(terminal, values))}\n`)
  })
}

function addIdWord(command: Command): Command {
  relax(command, '--work-id')
  return command.argument('[work]', 'work ID, as `cacpd work list` shows it (instead of --work-id)')
}

function idParams(
  row: AnyMethod,
  word: string | undefined,
  values: Values,
  terminal: Terminal,
): Promise<Params> {
  return paramsOf(row, { ...values, workId: only(word, values['workId'], 'the work by its ID') }, terminal)
}

const workMeant = ({ workId }: Params, client: Client): Promise<string> =>
  idMeant(String(workId), async () =>
    (await client.call('cacp/work/list', { limit: MOST_LOOKED_AT })).works.map((one) => one.workId),
  )

const waitOption = () => new Option('--wait', 'wait for the end, and print the result').helpGroup('Optional:')

function addSendWords(command: Command, terminal: Terminal): void {
  relax(command, '--peer')
  relax(command, '--work-type')
  const param = new Option('--param <key=value>', 'one parameter; JSON is taken as JSON; can be repeated')
  command
    .argument('[peer]', 'agent ID, repository or URL, as `cacpd peers` shows it (instead of --peer)')
    .argument('[type]', 'what kind of work (instead of --work-type)')
    .addOption(param.argParser(collected).helpGroup('Optional:'))
    .addOption(new Option('--contract <id>', 'the same as --contract-id').helpGroup('Optional:'))
    .addOption(waitOption())
    .addHelpText('after', '  cacpd work send frontend-app echo --param text=hello --wait')
    .action(async (peer: string | undefined, type: string | undefined) => {
      const values = command.opts<Values & { param?: readonly string[] }>()
      const given = {
        ...values,
        peer: only(peer, values['peer'], 'the peer'),
        workType: only(type, values['workType'], 'the type of work'),
        contractId: values['contract'] ?? values['contractId'],
      }
      const params = await paramsOf(work.send, given, terminal, parametersOf(values.param ?? []))
      const send = async (client: Client) =>
        client.call('cacp/work/send', (await withWholeIds(client, work.send.name, params)) as never)
      if (values['wait'] === true)
        return waitAndPrint(async (client) => (await send(client)).work.workId, values, terminal)
      const sent = await withDaemon(values, terminal, send)
      print(sent, values, terminal)
      if (values.json !== true)
        terminal.complain(
          `Wait for its result with: ${terminal.self} work get ${sent.work.workId} --wait${sameDaemon(values)}\n`,
        )
    })
}

const collected = (word: string, before: readonly string[] = []): readonly string[] => [...before, word]

async function paramsOf(row: AnyMethod, values: Params, terminal: Terminal, more?: Params): Promise<Params> {
  const options = paramOptions(row)
  const read = await readParams(options, values, terminal)
  const params =
    more === undefined ? read : { ...read, parameters: { ...asObject(read['parameters']), ...more } }
  assertValid(row, options, params)
  return params
}

function asObject(value: unknown): object {
  if (value === undefined) return {}
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new UsageError('--parameters: must be a JSON object')
}

function print(shown: Parameters<typeof describeWork>[0], flags: CallFlags, terminal: Terminal): void {
  if (flags.json === true) printResult(shown, flags, terminal)
  else terminal.print(`${describeWork(shown, showing(terminal, flags))}\n`)
}

async function waitAndPrint(
  workIdOf: (client: Client) => Promise<string>,
  flags: CallFlags,
  terminal: Terminal,
): Promise<void> {
  const shown = await withDaemon(flags, terminal, async (client) =>
    untilItEnds(await workIdOf(client), client, terminal),
  )
  const isDone = shown.work.status === 'completed'
  if (flags.json === true) {
    // All there is to say is in that one document, also why it did not work out.
    printResult(shown, flags, terminal)
    if (!isDone) throw new Ended(1)
    return
  }
  if (shown.result !== null) terminal.print(answerOf(shown.result))
  if (!isDone) throw failureOf(shown)
}

type Shown = ResultOf<'cacp/work/get'>

/** Shows how far it is, on a terminal, until there is nothing more to come. */
async function untilItEnds(workId: string, client: Client, terminal: Terminal): Promise<Shown> {
  const isSeen = terminal.isWatched === true
  let after: number | undefined
  for (;;) {
    const news = { workId, ...(after === undefined ? {} : { after }), waitSeconds: WAIT_SECONDS }
    const shown = await client.call('cacp/work/get', news)
    if (isSeen) terminal.complain(`\r${progressLine(shown.work, terminal.width)}`)
    if (shown.work.endedAt !== null) {
      if (isSeen) terminal.complain('\n')
      return shown
    }
    after = shown.work.updates
  }
}

function failureOf({ work: { error, repoName, status }, result }: Shown): Error {
  if (error !== null) return new WorkFailedError(`${error.message} (${error.code})`, String(error.code))
  const how =
    result === null || status === 'canceled' ? `was ${status}` : `ended with code ${result.exitCode}`
  return new WorkFailedError(`The work of ${repoName} ${how}`, status)
}

/** The work was followed to its end, and that was not the one hoped for. */
class WorkFailedError extends Error {
  override readonly name = 'WorkFailedError'
  readonly kind: string

  constructor(message: string, kind: string) {
    super(message)
    this.kind = kind
  }
}

/** What a word can say need not be an option too. */
function relax(command: Command, long: string): void {
  command.options
    .find((option) => option.long === long)
    ?.makeOptionMandatory(false)
    .helpGroup('Optional:')
}

function only(word: string | undefined, option: unknown, what: string): unknown {
  if (word !== undefined && option !== undefined) throw new UsageError(`Name ${what} once, not twice`)
  const named = word ?? option
  if (named === undefined) throw new UsageError(`Name ${what}`)
  return named
}
