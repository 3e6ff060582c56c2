import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { jsonIn } from '../../protocol/json/in.ts'
import { readSmallFile, replacePrivateFile } from '../identity/private-file.ts'
import { withReservedSpace } from '../place/reserved-space.ts'
import { isAlive } from '../runner/process-start.ts'

const STATE_FILE = 'background.json'

/** As a daemon prints it and the state file contains it. */
export const Problem = z.looseObject({ message: z.string(), next: z.string().exactOptional() }).readonly()
export type Problem = z.output<typeof Problem>

/** What the supervisor of a daemon in the background writes about it. */
const BackgroundState = z
  .object({
    pid: z.int(),
    /** The start time of that process, which distinguishes it from a later one with the same pid. */
    processStart: z.string(),
    phase: z.enum(['starting', 'running', 'waiting', 'gave up']),
    since: z.string(),
    restarts: z.int(),
    problem: Problem.exactOptional(),
    /** Why it was restarted the last time. */
    lastCrash: Problem.exactOptional(),
  })
  .readonly()
export type BackgroundState = z.output<typeof BackgroundState>

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
  return BackgroundState.safeParse(jsonIn(text)).data
}

/** Whether the supervisor still runs: one that was killed leaves its file behind. */
export const isSupervisorRunning = async (state: BackgroundState | undefined): Promise<boolean> =>
  state !== undefined && (await isAlive(state))
