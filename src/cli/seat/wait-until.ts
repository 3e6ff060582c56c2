import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../../client.ts'
import { oneLine } from '../../domain/names/quoted.ts'
import type { ResultOf } from '../../methods/table.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { printResult } from '../form/answer.ts'
import { numberGiven } from '../form/options.ts'
import { AGAIN_MILLIS, type CallFlags, withDaemon } from '../form/with-daemon.ts'
import { paint } from '../output/paint.ts'
import { printable } from '../output/printable.ts'
import { render } from '../output/render.ts'
import { screenOf } from '../output/screen.ts'
import type { Terminal } from '../output/terminal.ts'
import { ExitWith } from '../program/report.ts'

export type WaitFlags = CallFlags & { readonly timeout?: string | undefined }

export const TIMEOUT = { '--timeout <seconds>': 'how long; 0: for ever (default: 50)' } as const

export const DEFAULT_SECONDS = 50
/** The longest wait that the daemon allows in one call. */
const MOST_SECONDS = 600
/** How long one call waits where somebody watches the terminal, so that progress is shown soon. */
const WATCHED_SECONDS = 10

type Waited = ResultOf<'cacp/wait'>

/** Prints what is true, or ends with 3 when the time is over. */
export async function waitUntil(until: object, flags: WaitFlags, terminal: Terminal): Promise<void> {
  const seconds = numberGiven(flags.timeout, /^\d{1,9}$/, WRONG_TIMEOUT) ?? DEFAULT_SECONDS
  const answer = await wait(until, seconds, flags, terminal)
  if (flags.json === true) printResult(answer, flags, terminal)
  else if (answer.met) terminal.print(`${render(shortly(answer), screenOf(terminal, flags))}\n`)
  else terminal.complain(`The time is over, and it is not true yet: ${waitProgress(until, answer)}\n`)
  if (!answer.met) throw new ExitWith(3)
}

/** Also while the daemon is started anew; 0 seconds are for ever. */
async function wait(until: object, seconds: number, flags: WaitFlags, terminal: Terminal): Promise<Waited> {
  const end = seconds === 0 ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000
  const leftMillis = () => Math.max(0, end - performance.now())
  // A daemon that does not answer the first, short call was not running; it is not waited for.
  const [condition, first] = await withDaemon(flags, terminal, async (client) => {
    const withSince = await withCursor(until, client)
    return [withSince, await ask(client, withSince, 1)] as const
  })
  let answer = first
  let missed: Error | undefined
  const isWatched = terminal.isWatched === true && flags.json !== true
  const mostSeconds = isWatched ? WATCHED_SECONDS : MOST_SECONDS
  let told = ''
  while (!answer.met && leftMillis() > 0) {
    const progress = isWatched ? waitProgress(until, answer) : ''
    if (progress !== told) terminal.complain(`${paint('dim', progress, terminal)}\n`)
    told = progress
    if (missed !== undefined || answer.stopping === true) await sleep(Math.min(AGAIN_MILLIS, leftMillis()))
    const most = Math.max(1, Math.min(Math.ceil(leftMillis() / 1000), mostSeconds))
    missed = undefined
    answer = await withDaemon(flags, terminal, (client) => ask(client, condition, most)).catch((error) => {
      if (!isAway(error)) throw error
      missed = error
      return answer
    })
  }
  if (missed !== undefined) throw missed
  return answer
}

const ask = (client: Client, until: object, timeoutSeconds: number): Promise<Waited> =>
  client.call('cacp/wait', { until, timeoutSeconds })

/** A feed without a cursor is waited for from now on. Following it for its first cursor marks nothing as seen. */
async function withCursor(until: object, client: Client): Promise<object> {
  if (!('feed' in until) || (until.feed as { since?: string }).since !== undefined) return until
  for await (const { cursor } of client.follow({})) return { feed: { since: cursor } }
  return until
}

const WRONG_TIMEOUT = '--timeout: must be a whole number of seconds, such as 50; 0 waits for ever'

const isAway = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ConnectionError' || error.name === 'DataDirError')

/** What is true now. Items of the inbox are cut to kind, name and reason; `cacpd inbox` shows all of them. */
function shortly({ about = {} }: Waited): JsonObject {
  const { items } = about
  if (!Array.isArray(items)) return about
  return { ...about, items: items.filter(isJsonObject).map(({ kind, name, why }) => ({ kind, name, why })) }
}

/** What is waited for, whose turn it is since when, and who acted last, in one line for each thing. */
function waitProgress(until: object, { pending = [] }: Pick<ResultOf<'cacp/wait'>, 'pending'>): string {
  const goals = 'any' in until && Array.isArray(until.any) ? until.any : [until]
  if (pending.length === 0) return `waiting for ${goals.map(plainGoal).join(', or ')}`
  return pending
    .map((one) => printable(oneLine(`waiting for ${wanted(one, goals)}${standing(one)}`)))
    .join('\n')
}

/** The inbox and the feed have nothing pending that could be described. */
const plainGoal = (goal: object): string =>
  'inbox' in goal ? 'something to do' : 'feed' in goal ? 'a change' : 'what was named'

function wanted({ name, contractId, packetId, projectId }: JsonObject, goals: readonly JsonObject[]): string {
  if (packetId !== undefined) return `an answer to ${name}`
  const kind = contractId === undefined ? 'project' : 'contract'
  // With several goals of a kind it is not known which goal belongs to which pending thing.
  const [goal, ...others] = goals.flatMap((one) => (isJsonObject(one[kind]) ? [one[kind]] : []))
  const far = goal?.['statusAtLeast'] ?? goal?.['status']
  const version = goal?.['versionAbove'] === undefined ? '' : ` in a version above ${goal['versionAbove']}`
  const is = far === undefined || others.length > 0 ? '' : ` to be ${far}`
  return `${name ?? projectId}${is}${others.length > 0 ? '' : version}`
}

function standing({ status, version, waitsFor, to, since, objectedBy, last }: JsonObject): string {
  const whom = namesIn(waitsFor)
  const objected = namesIn(objectedBy)
  return [
    status === undefined ? '' : `: ${version === undefined ? '' : `version ${version} is `}${status}`,
    to === undefined
      ? ''
      : `; ${whom || 'any repository'} to ${to}${since === undefined ? '' : ` since ${minute(since)}`}`,
    objected === '' ? '' : `; objected to by ${objected}`,
    isJsonObject(last) ? `; last, ${minute(last['at'])}: ${last['repo']}, ${last['did']}` : '',
  ].join('')
}

const namesIn = (names: unknown): string => (Array.isArray(names) ? names.join(', ') : '')

/** Such as `2026-11-16 09:00Z`. */
const minute = (stamp: unknown): string => `${String(stamp).slice(0, 16).replace('T', ' ')}Z`
