import { figure } from '../text/figures.ts'
import { clockTime } from '../text/time.ts'

/** How this browser is connected with the daemon's stream of changes. */
export type Connection =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  | { readonly is: 'catching up'; readonly changes: number }
  /** `asOf`: when it was last heard, in milliseconds; undefined: never. */
  | { readonly is: 'waiting'; readonly failures: number; readonly until: number; readonly asOf: Moment }
  | { readonly is: 'asleep'; readonly asOf: Moment }
  | { readonly is: 'ended' }

type Moment = number | undefined

export type Happening =
  | { readonly type: 'opening' }
  | { readonly type: 'opened'; readonly isResumed: boolean }
  | { readonly type: 'changes'; readonly count: number }
  /** Nothing came for a moment. */
  | { readonly type: 'quiet' }
  | { readonly type: 'lost'; readonly until: number; readonly asOf: Moment }
  | { readonly type: 'slept'; readonly asOf: Moment }
  | { readonly type: 'refused' }

/** The next state of a connection. */
export function connected(now: Connection, happened: Happening): Connection {
  switch (happened.type) {
    case 'opening':
      return now.is === 'waiting' ? now : { is: 'connecting' }
    case 'opened':
      return happened.isResumed ? { is: 'catching up', changes: 0 } : { is: 'live' }
    case 'changes':
      return now.is === 'catching up' ? { ...now, changes: now.changes + happened.count } : now
    case 'quiet':
      return now.is === 'catching up' ? { is: 'live' } : now
    case 'lost': {
      const failures = now.is === 'waiting' ? now.failures + 1 : 1
      return { is: 'waiting', failures, until: happened.until, asOf: happened.asOf }
    }
    case 'slept':
      return { is: 'asleep', asOf: happened.asOf }
    case 'refused':
      return { is: 'ended' }
  }
}

/** Milliseconds to wait after so many failures in a row. */
export const pauseAfter = (failures: number): number => Math.min(30_000, 1000 * 2 ** Math.min(failures, 5))

/** After so many failures in a row the daemon is taken for stopped. */
const TAKEN_FOR_DOWN = 4

export type Tone = 'good' | 'busy' | 'warn' | 'bad'

/** The state in words, for people, and how serious it is. */
export function connectionWords(connection: Connection, now: number): { words: string; tone: Tone } {
  switch (connection.is) {
    case 'connecting':
      return { words: 'connecting', tone: 'busy' }
    case 'live':
      return { words: 'live', tone: 'good' }
    case 'catching up':
      return { words: `catching up${counted(connection.changes)}`, tone: 'busy' }
    case 'waiting':
      return waitingWords(connection, now)
    case 'asleep':
      return { words: `paused while hidden${asOf(connection.asOf)}`, tone: 'warn' }
    case 'ended':
      return { words: 'session ended: run cacpd ui', tone: 'bad' }
  }
}

function waitingWords(
  { failures, until, asOf: heard }: Connection & { is: 'waiting' },
  now: number,
): ReturnType<typeof connectionWords> {
  if (failures >= TAKEN_FOR_DOWN)
    return { words: `the daemon does not answer: cacpd up -d${asOf(heard)}`, tone: 'bad' }
  const seconds = Math.ceil((until - now) / 1000)
  return {
    words: `reconnecting${seconds > 0 ? ` in ${seconds} s` : ''}${asOf(heard)}`,
    tone: 'warn',
  }
}

const counted = (changes: number): string =>
  changes === 0 ? '' : ` (${figure(changes)} ${changes === 1 ? 'change' : 'changes'})`

const asOf = (heard: Moment): string => (heard === undefined ? '' : `, shown as of ${clockTime(heard)}`)
