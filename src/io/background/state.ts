import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { withReserve } from '../place/reserved-space.ts'
import { processStart } from '../runner/process-start.ts'

const STATE_FILE = 'background.json'

export interface Problem {
  readonly message: string
  readonly next?: string
}

/** What the process that watches over a daemon in the background says of it. */
export interface BackgroundState {
  readonly pid: number
  /** When that process began, which tells it from a later one with the same pid. */
  readonly processStart: string
  readonly phase: 'starting' | 'running' | 'waiting' | 'gave up'
  /** When this phase began. */
  readonly since: string
  /** How often the daemon was started again after a crash. */
  readonly restarts: number
  /** Why it waits, or gave up. */
  readonly problem?: Problem
  /** Why it was started again the last time. */
  readonly lastCrash?: Problem
}

export const logPath = (dataDir: string): string => join(dataDir, 'daemon.log')
export const olderLogPath = (dataDir: string): string => join(dataDir, 'daemon.log.1')

export const writeBackground = (dataDir: string, state: BackgroundState): Promise<void> =>
  withReserve(dataDir, () =>
    replacePrivateFile(join(dataDir, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`),
  )

export const removeBackground = (dataDir: string): Promise<void> =>
  rm(join(dataDir, STATE_FILE), { force: true })

/** Undefined where nothing was started in the background, or was ended in order. What cannot be read says nothing. */
export async function readBackground(dataDir: string): Promise<BackgroundState | undefined> {
  const text = await readSmallFile(join(dataDir, STATE_FILE)).catch(() => '')
  const state = jsonIn(text)
  return isState(state) ? state : undefined
}

/** Whether the process that watches still runs. One that was killed leaves its file behind. */
export const isWatching = async (state: BackgroundState | undefined): Promise<boolean> =>
  state !== undefined && (await processStart(state.pid)) === state.processStart

/** Why it ended, as it was said by a daemon or is kept in a file. */
export function isProblem(value: unknown): value is Problem {
  const { message, next = '' } = Object(value) as Record<string, unknown>
  return typeof message === 'string' && typeof next === 'string'
}

function isState(value: unknown): value is BackgroundState {
  const { pid, processStart, phase, since, restarts, problem, lastCrash } = Object(value) as Record<
    string,
    unknown
  >
  return (
    [problem, lastCrash].every((one) => one === undefined || isProblem(one)) &&
    [pid, restarts].every(Number.isSafeInteger) &&
    [processStart, phase, since].every((text) => typeof text === 'string')
  )
}
