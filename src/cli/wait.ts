import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import type { ResultOf } from '../methods/table.ts'
import { type CallFlags, printResult, withDaemon } from './call-daemon.ts'
import { printable } from './printable.ts'
import { Ended, report, UsageError } from './report.ts'
import type { Terminal } from './terminal.ts'

export interface WaitFlags extends CallFlags {
  readonly timeout?: string | undefined
}

/** What the daemon lets somebody wait in one call. */
const MOST_SECONDS = 600
/** Before a daemon that has stopped is looked for again. */
const AGAIN_MILLIS = 1000

type Waited = ResultOf<'cacp/wait'>

/** Prints what is true, or ends with 1 when the time is over and with 2 when it cannot become true. */
export async function waitUntil(until: object, flags: WaitFlags, terminal: Terminal): Promise<void> {
  const seconds = secondsOf(flags.timeout)
  const answer = await (seconds === 0
    ? forEver(until, flags, terminal)
    : forSeconds(until, seconds, flags, terminal)
  ).catch((error: unknown) => {
    if (!isBadCondition(error)) throw error
    report(error, terminal, { json: flags.json === true })
    throw new Ended(2)
  })
  if (flags.json === true) printResult(answer, flags, terminal)
  else if (answer.met) terminal.print(`${described(answer)}\n`)
  else terminal.complain('The time is over, and it is not true yet\n')
  if (!answer.met) throw new Ended(1)
}

async function forSeconds(
  until: object,
  seconds: number,
  flags: WaitFlags,
  terminal: Terminal,
): Promise<Waited> {
  return withDaemon(flags, terminal, async (client) => {
    const condition = await withCursor(until, client)
    for (let left = seconds; ; left -= MOST_SECONDS) {
      const answer = await ask(client, condition, Math.min(left, MOST_SECONDS))
      if (answer.met || answer.stopping === true || left <= MOST_SECONDS) return answer
    }
  })
}

/** Also while the daemon is started anew. */
async function forEver(until: object, flags: WaitFlags, terminal: Terminal): Promise<Waited> {
  const condition = await withDaemon(flags, terminal, (client) => withCursor(until, client))
  for (let isFirst = true; ; isFirst = false) {
    const answer = await withDaemon(flags, terminal, (client) => ask(client, condition, MOST_SECONDS)).catch(
      (error: unknown) => {
        if (isFirst || !isAway(error)) throw error
        return undefined
      },
    )
    if (answer?.met === true) return answer
    if (answer === undefined || answer.stopping === true) await sleep(AGAIN_MILLIS)
  }
}

const ask = (client: Client, until: object, timeoutSeconds: number): Promise<Waited> =>
  client.call('cacp/wait', { until, timeoutSeconds })

/** Since when, where nobody said: since now. */
async function withCursor(until: object, client: Client): Promise<object> {
  if (!('feed' in until) || (until.feed as { since?: string }).since !== undefined) return until
  const { cursor } = await client.call('cacp/inbox/list', { limit: 1 })
  return { feed: { since: cursor } }
}

function secondsOf(text = '50'): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError('--timeout: must be a whole number of seconds, such as 50; 0 waits for ever')
}

const BAD = new Set(['invalid_params', 'not_found', 'stale_cursor'])
const isBadCondition = (error: unknown): boolean => BAD.has((error as { kind?: string }).kind ?? '')
const isAway = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'ConnectionError' || error.name === 'DataDirError')

function described({ about = {} }: Waited): string {
  return printable(
    Object.entries(about)
      .map(([key, value]) => `${key}: ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
      .join('\n'),
  )
}
