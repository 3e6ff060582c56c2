import { RouteTable } from '../../domain/mock/routes.ts'
import type { MockRules, Tables } from '../../io/mock/mock-server.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, numberGiven, PROJECT } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { firstSignal } from '../program/first-signal.ts'
import { contractReader, followContracts, type KnownContract, servedOf } from './contracts.ts'
import { emitEvents, emittingTo } from './emit-events.ts'
import { millisIn, shareIn, urlIn } from './mock-options.ts'
import { coverageOf, openProxy } from './observation.ts'

/** Returns when a signal has ended it. */
export const mock = command({
  about: 'Answer requests as the contracts in force say, before anybody has built them, until it is ended.',
  options: {
    ...PROJECT,
    '--port <port>': 'port on this machine; 0 for any free one (default: 0)',
    '--proposed': 'take the newest versions, also those that are not agreed',
    '--seed <number>': 'by which values are made up (default: 1)',
    '--lenient': 'answer requests that do not fit, too',
    '--delay <time>': 'wait before every answer, such as 200ms',
    '--fail <share>': 'let some requests fail, such as 5%',
    '--upstream <url>': 'answer nothing: pass requests on to this server, and compare what goes by',
    '--emit <event>': 'instead of answering: post an event of a contract; with --to',
    '--to <url>': 'where it is posted',
    '--count <number>': 'how many of it (default: 1)',
    ...AGENT_ID,
  },
  note: 'A caller may ask for an answer: Prefer: code=404, example=NAME.',
  examples: [
    'cacpd mock --port 4010',
    'cacpd mock --proposed --delay 200ms --fail 5%',
    'cacpd mock --emit user.created --to http://127.0.0.1:3000/hook --count 10',
  ],
  run: async (given, terminal) => {
    const rules = {
      port: numberGiven(given.port, PORT, '--port: must be a whole number from 0 to 65535') ?? 0,
      seed: numberGiven(given.seed, /^\d{1,9}$/, '--seed: must be a whole number from 0 on') ?? 1,
      isLenient: given.lenient === true,
      delayMillis: millisIn(given.delay),
      failShare: shareIn(given.fail),
      tell: (line: string) => terminal.complain(`${printableLine(line)}\n`),
    }
    const isProposed = given.proposed === true
    const upstream = given.upstream === undefined ? undefined : urlIn(given.upstream, '--upstream')
    const emission = given.emit === undefined ? undefined : { name: given.emit, ...emittingTo(given) }
    const { read, contracts, projectId, projectName, dataDir } = await withDaemon(
      given,
      terminal,
      async (client, { dataDir }) => {
        const found = await client.call('cacp/lookup', { projectId: given.project })
        const read = contractReader(found.projectId)
        return { ...found, read, contracts: await read(client), dataDir }
      },
    )
    if (emission !== undefined)
      return emitEvents(servedOf(contracts, isProposed), { ...emission, seed: rules.seed }, terminal)
    let tables = tablesOf(contracts, isProposed)
    const ending = new AbortController()
    const ended = firstSignal()
    const server = await begin(() => tables, rules, upstream && { upstream, dataDir })
    terminal.print(
      given.json === true
        ? `${JSON.stringify({ event: 'listening', url: server.url, projectId, operations: operationsOf(tables) })}\n`
        : greeting(server.url, projectName, tables, terminal),
    )
    const onRead = (now: readonly KnownContract[]) => {
      const before = new Set(operationsOf(tables))
      tables = tablesOf(now, isProposed)
      for (const line of operationsOf(tables)) if (!before.delete(line)) rules.tell(`+ ${line}`)
      for (const line of before) rules.tell(`- ${line}`)
    }
    const { signal } = ending
    const following = followContracts({ projectId, read, flags: given, terminal, signal, onRead })
    await ended
    ending.abort()
    await following
    for (const line of await server.end()) terminal.print(`${printableLine(line)}\n`)
  },
})

/** Answers requests, or passes them on. Ending it answers what there is to say then. */
async function begin(
  tables: () => Tables,
  rules: MockRules,
  proxied: { readonly upstream: URL; readonly dataDir: string } | undefined,
) {
  if (proxied === undefined) {
    const { startMock } = await import('../../io/mock/mock-server.ts')
    const server = await startMock(tables, rules)
    return { url: server.url, end: () => server[Symbol.asyncDispose]().then((): string[] => []) }
  }
  const { port, tell } = rules
  const proxy = await openProxy({ ...proxied, port, tell, table: () => tables().served })
  const end = async () => {
    const { shown } = await proxy.end()
    const lines = shown.map((one) => `${one.served.name}: ${coverageOf(one)}`)
    return [...lines, `The requests are in ${proxy.path}`]
  }
  return { url: proxy.url, end }
}

const PORT = /^(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/

function tablesOf(contracts: readonly KnownContract[], isProposed: boolean): Tables {
  const proposed = contracts.flatMap((one) =>
    one.proposed === undefined || isProposed ? [] : [one.proposed],
  )
  return { served: new RouteTable(servedOf(contracts, isProposed)), proposed: new RouteTable(proposed) }
}

/** One line for each operation, with the contract and the version that describe it. */
const operationsOf = ({ served }: Tables): readonly string[] =>
  served.routes.map(
    ({ method, path, served: { name, version } }) => `${method} ${path} («${name}», version ${version})`,
  )

function greeting(url: string, project: string, tables: Tables, terminal: Terminal): string {
  const operations = operationsOf(tables)
  const lines =
    operations.length === 0 ? ['No HTTP operation is in force yet; it is served once it is.'] : operations
  return `${paint('bold', printableLine(`The contracts of «${project}» answer at ${url}`), terminal)}
${lines.map((line) => `  ${printableLine(line)}`).join('\n')}
Stop with Ctrl-C.
`
}
