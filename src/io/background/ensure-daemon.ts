import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LAUNCHER } from '../../launcher.ts'
import { DataDirError } from '../place/data-dir.ts'
import { findRoot } from '../place/discover-repo.ts'
import { type FoundDaemon, findDaemon, NotRunningError } from '../place/find-daemon.ts'
import { assertStoreNotLost } from '../place/remembered-store.ts'
import { isOwnDirectory } from '../store/directory/layout.ts'
import { nodeDisk } from '../store/directory/node-disk.ts'
import { assertNoSymbolicLinks } from '../store/directory/symbolic-links.ts'
import { directoryInUse, inWords } from '../store/store-errors.ts'
import { type Place, type PlaceOptions, placeOf } from './place.ts'
import { type BackgroundState, isSupervisorRunning, logPath, readBackground } from './state.ts'

const ANSWER_MILLIS = 30_000
const POLL_MILLIS = 40

export interface EnsureOptions extends PlaceOptions {
  /** Options for `cacpd start`, if a daemon has to be started. */
  readonly flags?: readonly string[]
  readonly withinMillis?: number
}

export interface EnsuredDaemon extends FoundDaemon {
  /** Whether it was started by this call. */
  readonly isNew: boolean
}

/**
 * Returns the daemon of this repository. If none runs, starts one in the background that outlives this process;
 * simultaneous calls start only one. Throws DataDirError with the reason when none can be started.
 */
export async function ensureDaemon(options: EnsureOptions): Promise<EnsuredDaemon> {
  const place = await placeOf(options)
  const running = await findRunningDaemon(place.dataDir)
  if (running !== undefined) return { ...running, isNew: false }
  // Checked before any file is made there, which would be in the way of restoring the lost store.
  if (!options.flags?.includes('--new-data'))
    await assertStoreNotLost({ ...(await findRoot(place.cwd)), dataDir: place.dataDir })
  const before = await readBackground(place.dataDir)
  let started = await startSupervisor(place, options)
  const until = performance.now() + (options.withinMillis ?? ANSWER_MILLIS)
  while (performance.now() < until) {
    // Read first, because a supervisor writes its state file before it ends.
    const { end } = started
    const found = await findRunningDaemon(place.dataDir)
    if (found !== undefined) return { ...found, isNew: true }
    const state = await readBackground(place.dataDir)
    if (end === 'failed' || (state?.phase === 'gave up' && !isSame(state, before)))
      return await afterFailure(place, state)
    // Another supervisor held the lock when this one was started, and has given up since.
    if (end === 'in order' && !(await isSupervisorRunning(state)))
      started = await startSupervisor(place, options)
    await delay(POLL_MILLIS)
  }
  throw await tooLate(place)
}

/** The daemon of a data directory; undefined where none runs. */
export async function findRunningDaemon(dataDir: string): Promise<FoundDaemon | undefined> {
  try {
    return await findDaemon({ dataDir, env: {} })
  } catch (error) {
    if (error instanceof NotRunningError) return undefined
    throw error
  }
}

interface Started {
  /** How the supervisor ended, once it has. */
  end?: 'in order' | 'failed'
}

/** If another supervisor runs already, the new one ends at once with exit code 0. */
async function startSupervisor({ dataDir, cwd }: Place, { env, flags = [] }: EnsureOptions) {
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

/** The directory and the log are made by this process, so that the user learns at once what is wrong with them. */
async function openLog(dataDir: string) {
  try {
    await nodeDisk.makeDirectory(dataDir)
    const names = await readdir(dataDir)
    if (!names.includes('IDENT') && !isOwnDirectory(names)) throw directoryInUse(dataDir)
    await assertNoSymbolicLinks(dataDir)
    // Written first, so that git ignores the directory also when the start fails.
    if (!names.includes('.gitignore')) await writeFile(join(dataDir, '.gitignore'), '*\n')
    return await open(logPath(dataDir), 'a', 0o600)
  } catch (error) {
    throw inWords(error, dataDir)
  }
}

async function afterFailure({ dataDir }: Place, state: BackgroundState | undefined): Promise<EnsuredDaemon> {
  // Somebody may have started a daemon in the foreground at the same time; that one serves as well.
  const found = await findRunningDaemon(dataDir)
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
  const isWaiting = state?.phase === 'waiting' && (await isSupervisorRunning(state))
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
