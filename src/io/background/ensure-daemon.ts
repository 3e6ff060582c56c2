import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as passing } from 'node:timers/promises'
import { LAUNCHER } from '../../launcher.ts'
import { DataDirError } from '../place/data-dir.ts'
import { findRoot } from '../place/discover-repo.ts'
import { type FoundDaemon, findDaemon, NotRunningError } from '../place/find-daemon.ts'
import { assertStoreNotLost } from '../place/remembered-store.ts'
import { isOwnDirectory } from '../store/directory/layout.ts'
import { assertNoLinks } from '../store/directory/symbolic-links.ts'
import { nodeDisk } from '../store/directory/node-disk.ts'
import { directoryInUse, inWords } from '../store/store-errors.ts'
import { type Place, type PlaceOptions, placeOf } from './place.ts'
import { type BackgroundState, isWatching, logPath, readBackground } from './state.ts'

const ANSWER_MILLIS = 30_000
const LOOK_MILLIS = 40

export interface EnsureOptions extends PlaceOptions {
  /** For `cacpd start`, where one has to be started. */
  readonly flags?: readonly string[]
  readonly withinMillis?: number
}

export interface EnsuredDaemon extends FoundDaemon {
  /** Whether it was not there before. */
  readonly isNew: boolean
}

/**
 * The daemon of this repository. Where none runs, one is started in the background, which outlives this process; however
 * many ask for it at the same time, there is one. Throws DataDirError, with the reason, where none can be had.
 */
export async function ensureDaemon(options: EnsureOptions): Promise<EnsuredDaemon> {
  const place = await placeOf(options)
  const running = await runningIn(place.dataDir)
  if (running !== undefined) return { ...running, isNew: false }
  if (!options.flags?.includes('--new-data')) await assertNotLost(place)
  const before = await readBackground(place.dataDir)
  let started = await startSupervisor(place, options)
  const until = performance.now() + (options.withinMillis ?? ANSWER_MILLIS)
  while (performance.now() < until) {
    // Looked at first: what it leaves to be read is there before it ends, and not the other way round.
    const { end } = started
    const found = await runningIn(place.dataDir)
    if (found !== undefined) return { ...found, isNew: true }
    const state = await readBackground(place.dataDir)
    if (end === 'failed' || (state?.phase === 'gave up' && !isSame(state, before)))
      return await afterFailure(place, state)
    // The one that was there before it gave up at the same time.
    if (end === 'in order' && !(await isWatching(state))) started = await startSupervisor(place, options)
    await passing(LOOK_MILLIS)
  }
  throw await tooLate(place)
}

/** Looked at before anything is made there, which would be in the way of what is to be put back. */
async function assertNotLost({ dataDir, cwd }: Place): Promise<void> {
  const { root } = await findRoot(cwd)
  await assertStoreNotLost({ root, dataDir })
}

/** The daemon of a data directory, or undefined where none runs. */
export async function runningIn(dataDir: string): Promise<FoundDaemon | undefined> {
  try {
    return await findDaemon({ dataDir, env: {} })
  } catch (error) {
    if (error instanceof NotRunningError) return undefined
    throw error
  }
}

interface Started {
  /** How it ended, when it has. */
  end?: 'in order' | 'failed'
}

/** Where another one watches already, this one ends at once and in order. */
async function startSupervisor(
  { dataDir, cwd }: Place,
  { env, flags = [] }: EnsureOptions,
): Promise<Started> {
  const log = await openLog(dataDir)
  const started: Started = {}
  try {
    const words = [LAUNCHER, 'supervise', '--data', dataDir, '--', ...flags]
    const child = spawn(process.execPath, words, {
      cwd,
      env: { ...env, CACP_DATA: '' },
      detached: true,
      stdio: ['ignore', 'ignore', log.fd],
    })
    child.on('exit', (code) => {
      started.end = code === 0 ? 'in order' : 'failed'
    })
    await once(child, 'spawn')
    child.unref()
    return started
  } finally {
    await log.close()
  }
}

/** Made here, so that whoever starts it is told at once what is wrong with the folder. */
async function openLog(dataDir: string) {
  try {
    await nodeDisk.makeDirectory(dataDir)
    const names = await readdir(dataDir)
    if (!names.includes('IDENT') && !isOwnDirectory(names)) throw directoryInUse(dataDir)
    await assertNoLinks(dataDir)
    // Also where the start fails, git should not take what is left for something to keep.
    if (!names.includes('.gitignore')) await writeFile(join(dataDir, '.gitignore'), '*\n')
    return await open(logPath(dataDir), 'a', 0o600)
  } catch (error) {
    throw inWords(error, dataDir)
  }
}

async function afterFailure({ dataDir }: Place, state: BackgroundState | undefined): Promise<EnsuredDaemon> {
  // Somebody may have started one in the foreground at the same time, which is as good.
  const found = await runningIn(dataDir)
  if (found !== undefined) return { ...found, isNew: false }
  const { message, next } = state?.problem ?? {
    message: `The daemon of ${dataDir} could not be started in the background`,
  }
  throw new DataDirError(
    message,
    next ?? 'See `cacpd logs`, or start it in the foreground with `cacpd start`',
  )
}

async function tooLate({ dataDir }: Place): Promise<DataDirError> {
  const state = await readBackground(dataDir)
  const isWaiting = state?.phase === 'waiting' && (await isWatching(state))
  return isWaiting
    ? new DataDirError(
        `The daemon of ${dataDir} crashed and will be started again (${state.problem?.message})`,
        'See `cacpd logs`; `cacpd down` ends this',
      )
    : new DataDirError(
        `The daemon of ${dataDir} was started, but does not answer yet`,
        'See `cacpd logs`, and try again',
      )
}

const isSame = (state: BackgroundState, other: BackgroundState | undefined): boolean =>
  state.pid === other?.pid && state.processStart === other.processStart
