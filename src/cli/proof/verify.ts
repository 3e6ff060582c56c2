import { resolve } from 'node:path'
import type { Client } from '../../client.ts'
import { maskText } from '../../domain/mock/mask.ts'
import { RouteTable } from '../../domain/mock/routes.ts'
import type { Shown } from '../../domain/mock/tally.ts'
import { OUTPUT_LENGTH } from '../../domain/proof/evidence.ts'
import { type CommandEnd, watchCommand } from '../../io/runner/watched-command.ts'
import { shellLine } from '../../setup/service/shell-line.ts'
import { command } from '../form/command.ts'
import { AGENT_ID, PROJECT, secondsIn } from '../form/options.ts'
import { withDaemon } from '../form/with-daemon.ts'
import { printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { CommandError, ExitWith, UsageError } from '../program/report.ts'
import { contractReader, servedOf } from './contracts.ts'
import { urlIn } from './mock-options.ts'
import { coverageOf, type Observation, type OpenProxy, observeHar, openProxy } from './observation.ts'

const LONGEST_RUN = { seconds: 24 * 3600, said: '24h' }
/** As the shell's own `timeout` says it. */
const TOOK_TOO_LONG = 124

export const verify = command({
  about:
    'Run a command that tries whether the parts of the contracts work together, and say what it showed. Exits as the command does.',
  words: { '[command...]': 'behind --: the command, such as npm run e2e' },
  options: {
    ...PROJECT,
    '--contract <contract...>':
      'IDs or names of the contracts that it tries (default: all that are implemented)',
    '--upstream <url>': 'the server that it tries: requests go there through CACP_BASE_URL, and are compared',
    '--har <file>': 'take the requests from this HAR, which the command or a browser recorded',
    '--timeout <time>': 'end the command after so long, such as 30m',
    '--notes <text>': 'what else there is to say',
    ...AGENT_ID,
  },
  note: 'It also exits with 1 where the command succeeds and something that it sent or got does not fit.',
  examples: [
    'cacpd verify -- npm run e2e',
    'cacpd verify --upstream http://127.0.0.1:3000 -- npm test',
    "cacpd verify --contract 'Get User' --har session.har",
  ],
  run: async (given, terminal) => {
    const { command: words, project, contract, notes = '', har } = given
    const upstream = given.upstream === undefined ? undefined : urlIn(given.upstream, '--upstream')
    const limit = given.timeout === undefined ? undefined : secondsIn(given.timeout, LONGEST_RUN, '--timeout')
    if (words.length === 0 && har === undefined)
      throw new UsageError('command: say what to run behind --, or give --har', 'cacpd verify -- npm run e2e')
    const { targets, table, dataDir } = await withDaemon(given, terminal, async (client, found) => {
      const targets = await targetsOf(client, project, contract)
      const isSeen = upstream !== undefined || har !== undefined
      const projectId = targets[0]?.projectId ?? ''
      const table = isSeen ? await tableOf(client, projectId) : undefined
      return { targets, dataDir: found.dataDir, table }
    })
    const tell = (line: string) => terminal.complain(`${printableLine(line)}\n`)
    let proxy: OpenProxy | undefined
    if (upstream !== undefined && har === undefined && table !== undefined)
      proxy = await openProxy({ upstream, port: 0, dataDir, table: () => table, tell })
    const ended = words.length === 0 ? undefined : await runCommand(words, { limit, proxy, terminal })
    let seen = await proxy?.end()
    if (har !== undefined && table !== undefined)
      seen = await observeHar(resolve(terminal.cwd, har), { table, origin: upstream?.origin, tell })
    const run = ended === undefined ? [] : [evidenceOf(words, ended)]
    const isRun = ended === undefined || ended.exitCode === 0
    let isFitting = true
    let told = 0
    await withDaemon(given, terminal, async (client) => {
      for (const { name, ...target } of targets) {
        const shown = seen?.shown.find(({ served }) => served.contractId === target.contractId)
        const evidence = [
          ...run,
          ...(seen === undefined || shown === undefined ? [] : [exchangesOf(shown, seen)]),
        ]
        if (evidence.length === 0) {
          terminal.print(`${printableLine(name)}: no request to it was seen\n`)
          continue
        }
        const doesFit = (shown?.failed ?? 0) === 0
        isFitting &&= doesFit
        told++
        const result = isRun && doesFit ? 'success' : 'failure'
        const answer = await client.call('cacp/implementation/verify', { ...target, result, notes, evidence })
        const status = `${answer.status}, contract is ${answer.contractStatus}`
        terminal.print(
          `${printableLine(name)}: ${status}${shown === undefined ? '' : `; ${coverageOf(shown)}`}\n`,
        )
        for (const { repo, file, why } of answer.ignored ?? [])
          tell(`It does not cover ${file} of ${repo}: ${why}`)
      }
    })
    const unknown = seen?.unknown ?? 0
    if (unknown > 0)
      tell(`${unknown === 1 ? '1 request was' : `${unknown} requests were`} to no contract in force`)
    if (told === 0)
      throw new CommandError(
        'No request was to one of the contracts, so nothing was verified',
        'failed',
        'See which operations they have: cacpd contract list',
      )
    if (!isRun) throw new ExitWith(ended.exitCode)
    if (!isFitting) throw new ExitWith(1)
  },
})

/** For so many seconds at most. Whoever ends this program ends the command, and is still told what it showed. */
async function runCommand(
  words: readonly string[],
  { limit, proxy, terminal }: { limit: number | undefined; proxy: OpenProxy | undefined; terminal: Terminal },
): Promise<CommandEnd> {
  const ending = new AbortController()
  const stop = () => ending.abort()
  let isLate = false
  const end = () => {
    isLate = true
    stop()
  }
  const late = limit === undefined ? undefined : setTimeout(end, limit * 1000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
  try {
    const ended = await watchCommand({
      words,
      cwd: terminal.cwd,
      env: { ...terminal.env, ...(proxy === undefined ? {} : { CACP_BASE_URL: proxy.url }) },
      tailLength: OUTPUT_LENGTH,
      print: (text) => terminal.complain(text.toString()),
      signal: ending.signal,
    })
    if (isLate) terminal.complain(`${words[0] ?? ''} was ended after ${limit} seconds\n`)
    return isLate ? { ...ended, exitCode: TOOK_TOO_LONG } : ended
  } finally {
    clearTimeout(late)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
  }
}

/** Looked for before the command runs: what cannot be told anybody need not be tried. */
async function targetsOf(client: Client, project: string | undefined, named: readonly string[] = []) {
  if (named.length > 0) {
    const asked = { projectId: project, contracts: [...named] }
    const { projectId, contractIds } = await client.call('cacp/lookup', asked)
    return contractIds.map((contractId, at) => ({ projectId, contractId, name: named[at] ?? contractId }))
  }
  const { projectId, rows } = await client.call('cacp/gate/check', { projectId: project })
  const tried = rows.filter(({ code }) => VERIFIABLE.has(code))
  if (tried.length > 0) return tried.map(({ contractId, name }) => ({ projectId, contractId, name }))
  throw new UsageError(
    'No contract is implemented by all of its parties, so there is nothing to verify',
    'See what is missing: cacpd can-i-merge',
  )
}

/** The operations of all contracts in force, by which requests are told apart. */
const tableOf = async (client: Client, projectId: string): Promise<RouteTable> =>
  new RouteTable(servedOf(await contractReader(projectId)(client), false))

/** What the gate says of contracts whose parts are all complete. */
const VERIFIABLE = new Set(['fits', 'not_verified', 'stale', 'no_evidence', 'own_file_moved'])

const evidenceOf = (words: readonly string[], { exitCode, durationMs, sha256, tail }: CommandEnd) => ({
  kind: 'run' as const,
  command: maskText(shellLine(words, false)).slice(0, 1000),
  exitCode,
  durationMs,
  output: { sha256, tail: maskText(tail).slice(-OUTPUT_LENGTH) },
})

const exchangesOf = ({ count, failed, seen, of, failures }: Shown, { har }: Observation) => ({
  kind: 'exchanges' as const,
  count,
  failed,
  seen: [...seen],
  of,
  har,
  failures: [...failures],
})
