import { resolve } from 'node:path'
import type { Health } from '../../client.ts'
import { endDaemon } from '../../io/background/end-daemon.ts'
import { type EnsuredDaemon, ensureDaemon } from '../../io/background/ensure-daemon.ts'
import { dataDirInUse } from '../../io/background/place.ts'
import { isSupervisorRunning, logPath, readBackground } from '../../io/background/state.ts'
import { type Endpoint, readEndpoint } from '../../io/place/data-dir.ts'
import { StoreLockedError } from '../../io/store/store-errors.ts'
import { LAUNCHER } from '../../launcher.ts'
import { kebab } from '../derive/kebab.ts'
import { command } from '../form/command.ts'
import { notEmpty } from '../form/options.ts'
import { nextSteps } from '../output/next-steps.ts'
import { paint } from '../output/paint.ts'
import { printableLine } from '../output/printable.ts'
import { sameDaemon } from '../output/shell-word.ts'
import type { Terminal } from '../output/terminal.ts'
import { firstSignal } from '../program/first-signal.ts'
import { ExitWith } from '../program/report.ts'
import { assertAnswers, renameNotice, warnIfDegraded, warnIfOther } from './daemon-health.ts'
import { placeHere } from './first-run.ts'
import type { StartFlags } from './start.ts'
import { START_OPTIONS } from './start-options.ts'

export const up = command({
  about: 'start the daemon of this repository, with -d in the background',
  isCommon: false,
  options: { '-d, --detach': 'in the background, and again when it crashes', ...START_OPTIONS },
  examples: [
    'cacpd up -d',
    'cacpd up -d --repo frontend-app --port 8081',
    'cacpd up                                              # in the foreground, as cacpd start',
  ],
  run: ({ detach, ...flags }, terminal) =>
    detach === true ? startInBackground(flags, terminal) : startInForeground(flags, terminal),
})

async function startInForeground(flags: StartFlags, terminal: Terminal): Promise<void> {
  const place = await placeHere(terminal, flags.data)
  const { startAt } = await import('./start.ts')
  await startAt(place, withWholePaths(flags, PATH_FLAGS, terminal.cwd), terminal)
}

async function startInBackground(flags: StartFlags, terminal: Terminal): Promise<void> {
  const { cwd, env } = terminal
  const { data, json, ...others } = flags
  const place = await placeHere(terminal, data)
  const before = await readEndpoint(place.dataDir)
  const daemon = await ensureDaemon({
    cwd,
    env: withWholePaths(env, PATH_VARIABLES, cwd),
    dataDir: data,
    flags: wordsOf(withWholePaths(others, PATH_FLAGS, cwd)),
  })
  const health = await assertAnswers(daemon)
  // One that runs in a terminal, or that outlived its watcher, is not started again after a crash.
  const isWatched = await isSupervisorRunning(await readBackground(place.dataDir))
  const there = sameDaemon(flags)
  terminal.print(
    json === true ? inJson(daemon, health, isWatched) : inWords(daemon, isWatched, { there, terminal }),
  )
  tellName(daemon, before, { wished: flags.repo, there, terminal })
  warnIfDegraded(health, terminal)
  warnIfOther(health, terminal)
}

/** A daemon that was running already keeps its name, whatever --repo says. */
function tellName(
  { endpoint, isNew }: EnsuredDaemon,
  before: Endpoint | undefined,
  { wished, there, terminal }: { wished: unknown; there: string; terminal: Terminal },
): void {
  const { repo, agentId } = endpoint
  if (isNew && before !== undefined && before.repo !== repo && before.agentId === agentId)
    terminal.complain(`${renameNotice({ from: before.repo })}\n`)
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

/** What `up -d` leaves running. */
export const superviseCommand = command({
  about: 'watch over a daemon; `cacpd up -d` starts this',
  isCommon: false,
  options: { '--data <dir>': { about: 'data directory', required: true, parse: notEmpty } },
  words: { '[words...]': 'options of `cacpd start`' },
  run: ({ data, words = [] }, terminal) => watchOver(data, words, terminal),
})

async function watchOver(dataDir: string, words: readonly string[], terminal: Terminal): Promise<void> {
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
    if (!(await supervise({ dataDir, command, stop: stop.signal }))) throw new ExitWith(1)
  } catch (error) {
    // Another process already watches over this daemon.
    if (!(error instanceof StoreLockedError) || error.whereabouts !== 'here') throw error
  }
}

export const down = command({
  about: 'end the daemon of this repository, and wait until it is gone',
  examples: ['cacpd down'],
  result: async ({ data }, terminal) => {
    const dataDir = await dataDirInUse({ ...terminal, dataDir: data })
    return { data: dataDir, ended: await endDaemon(dataDir) }
  },
  show: ({ data, ended }) =>
    ended.length === 0
      ? `No daemon runs for ${data}`
      : `cacpd has stopped (${ended.map(({ pid }) => pid).join(', ')})`,
})
