import { resolve } from 'node:path'
import type { Health } from '../../client.ts'
import { endDaemon } from '../../io/background/end-daemon.ts'
import { type EnsuredDaemon, ensureDaemon } from '../../io/background/ensure-daemon.ts'
import { dataDirInUse, placeOf } from '../../io/background/place.ts'
import { isWatching, logPath, readBackground } from '../../io/background/state.ts'
import { type Endpoint, readEndpoint } from '../../io/place/data-dir.ts'
import { StoreLockedError } from '../../io/store/store-errors.ts'
import { LAUNCHER } from '../../launcher.ts'
import type { OutputFlags } from '../derive/call-daemon.ts'
import { kebab } from '../derive/kebab.ts'
import { assertAnswers, warnIfDegraded, warnIfOther } from '../output/answering.ts'
import { nextSteps } from '../output/next-steps.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { firstSignal } from '../program/first-signal.ts'
import { ToldError } from '../program/report.ts'
import { noteAbove } from './first-run.ts'
import { renaming } from './renaming.ts'
import type { StartFlags } from './start.ts'

export type UpFlags = StartFlags & { readonly detach?: boolean }

/** `cacpd up [-d]` */
export async function up({ detach, ...flags }: UpFlags, terminal: Terminal): Promise<void> {
  const { cwd, env } = terminal
  const { data, json, ...others } = flags
  const place = await placeOf({ cwd, env, dataDir: data })
  noteAbove(place, terminal)
  if (detach !== true)
    return (await import('./start.ts')).startAt(place, withWholePaths(flags, PATH_FLAGS, cwd), terminal)
  const before = await readEndpoint(place.dataDir)
  const daemon = await ensureDaemon({
    cwd,
    env: withWholePaths(env, PATH_VARIABLES, cwd),
    dataDir: data,
    flags: wordsOf(withWholePaths(others, PATH_FLAGS, cwd)),
  })
  const health = await assertAnswers(daemon)
  const isWatched = await isInBackground(daemon)
  const there = sameDaemon(flags)
  terminal.print(
    json === true ? inJson(daemon, health, isWatched) : inWords(daemon, isWatched, { there, terminal }),
  )
  tellName(daemon, before, { wished: flags.repo, there, terminal })
  warnIfDegraded(health, terminal)
  warnIfOther(health, terminal)
}

/** One that was running goes on under its name, whatever is wished. */
function tellName(
  { endpoint, isNew }: EnsuredDaemon,
  before: Endpoint | undefined,
  { wished, there, terminal }: { wished: unknown; there: string; terminal: Terminal },
): void {
  const { repo, agentId } = endpoint
  if (isNew && before !== undefined && before.repo !== repo && before.agentId === agentId)
    terminal.complain(`${renaming({ from: before.repo })}\n`)
  if (!isNew && wished !== undefined && wished !== repo)
    terminal.complain(
      `warning: It is called ${printableLine(repo)} and was not renamed, because it runs\nnext: ${terminal.self} down${there}, then give this command again\n`,
    )
}

/** Files are named from where the command is given, which need not be where the daemon runs. */
const PATH_FLAGS = ['config', 'tlsCert', 'tlsKey'] as const
const PATH_VARIABLES = ['CACP_CONFIG', 'CACP_TLS_CERT', 'CACP_TLS_KEY'] as const

function withWholePaths<T extends Readonly<Record<string, unknown>>>(
  values: T,
  names: readonly string[],
  cwd: string,
): T {
  const whole = names.flatMap((name) => (values[name] ? [[name, resolve(cwd, String(values[name]))]] : []))
  return { ...values, ...Object.fromEntries(whole) }
}

function wordsOf(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (typeof value === 'boolean') return value ? [`--${kebab(name)}`] : []
    // In one word, so that a value that begins with a dash is not taken for another flag.
    return [`--${kebab(name)}=${value}`]
  })
}

/** One that runs in a terminal, or that outlived its watcher, is not started again after a crash. */
async function isInBackground({ dataDir }: EnsuredDaemon): Promise<boolean> {
  const state = await readBackground(dataDir)
  return state !== undefined && (await isWatching(state))
}

const inJson = ({ endpoint, dataDir, isNew }: EnsuredDaemon, health: Health, background: boolean): string => {
  const { url, agentId, repo, pid } = endpoint
  const { status, reason, next } = health
  return `${JSON.stringify({ event: isNew ? 'started' : 'running', url, agentId, repo, data: dataDir, pid, status, reason, next, background, log: logPath(dataDir) })}\n`
}

function inWords(
  { endpoint, dataDir, isNew }: EnsuredDaemon,
  isWatched: boolean,
  { there, terminal }: { there: string; terminal: Terminal },
): string {
  const { url, repo, pid } = endpoint
  const title = isNew ? `cacpd listens at ${url}` : `cacpd was running already, at ${url}`
  return `${paint('bold', title, terminal)}
  repo      ${repo}
  data      ${dataDir}
  process   ${pid}, ${isWatched ? 'in the background' : UNWATCHED}

${nextSteps(terminal.self, there)}
Its log: \`${terminal.self} logs${there}\`. End it with \`${terminal.self} down${there}\`.
`
}

const UNWATCHED = 'which nobody starts again after a crash; to have that: `cacpd down`, then `cacpd up -d`'

/** `cacpd supervise`: what `up -d` leaves running. */
export async function watchOver(
  dataDir: string,
  words: readonly string[],
  terminal: Terminal,
): Promise<void> {
  const { supervise } = await import('../../io/background/supervise.ts')
  const stop = new AbortController()
  void firstSignal().then(() => stop.abort())
  const command = {
    program: process.execPath,
    words: [LAUNCHER, 'start', '--json', '--data', dataDir, ...words],
    cwd: terminal.cwd,
    env: { ...terminal.env },
  }
  try {
    if (!(await supervise({ dataDir, command, stop: stop.signal }))) throw new ToldError()
  } catch (error) {
    // Whoever came first watches over the same daemon.
    if (!(error instanceof StoreLockedError) || error.whereabouts !== 'here') throw error
  }
}

/** `cacpd down` */
export async function down(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const dataDir = await dataDirInUse({ ...terminal, dataDir: flags.data })
  const ended = await endDaemon(dataDir)
  if (flags.json === true) terminal.print(`${JSON.stringify({ data: dataDir, ended })}\n`)
  else if (ended.length > 0) terminal.print(`cacpd has stopped (${ended.map(({ pid }) => pid).join(', ')})\n`)
  else terminal.print(`No daemon runs for ${dataDir}\n`)
}
