import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { jsonIn } from '../../protocol/json/in.ts'
import { readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { withReservedSpace } from '../place/reserved-space.ts'
import { processStart } from '../runner/process-start.ts'

const STATE_FILE = 'background.json'

export interface Problem {
  readonly message: string
  readonly next?: string
}

/** What the supervisor of a daemon in the background writes about it. */
export interface BackgroundState {
  readonly pid: number
  /** The start time of that process, which distinguishes it from a later one with the same pid. */
  readonly processStart: string
  readonly phase: 'starting' | 'running' | 'waiting' | 'gave up'
  readonly since: string
  /** How often the daemon was restarted after a crash. */
  readonly restarts: number
  /** Why it waits, or gave up. */
  readonly problem?: Problem
  /** Why it was restarted the last time. */
  readonly lastCrash?: Problem
}

export const logPath = (dataDir: string): string => join(dataDir, 'daemon.log')
export const olderLogPath = (dataDir: string): string => join(dataDir, 'daemon.log.1')

export const writeBackground = (dataDir: string, state: BackgroundState): Promise<void> =>
  withReservedSpace(dataDir, () =>
    replacePrivateFile(join(dataDir, STATE_FILE), `${JSON.stringify(state, null, 2)}\n`),
  )

export const removeBackground = (dataDir: string): Promise<void> =>
  rm(join(dataDir, STATE_FILE), { force: true })

/** Undefined if nothing was started in the background, or it was stopped normally, or the file cannot be read. */
export async function readBackground(dataDir: string): Promise<BackgroundState | undefined> {
  const text = await readSmallFile(join(dataDir, STATE_FILE)).catch(() => '')
  const state = jsonIn(text)
  return isState(state) ? state : undefined
}

/** Whether the supervisor still runs: one that was killed leaves its file behind. */
export const isSupervisorRunning = async (state: BackgroundState | undefined): Promise<boolean> =>
  state !== undefined && (await processStart(state.pid)) === state.processStart

/** Whether this is a problem as a daemon prints it or the state file contains it. */
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
