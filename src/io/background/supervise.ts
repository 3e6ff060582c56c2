import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { defined } from '../../protocol/collections/defined.ts'
import { afterExit, RESTART_RULES, type RestartRules } from '../../setup/service/restarts.ts'
import { createLog, withoutSecrets } from '../audit/log.ts'
import { processStart } from '../runner/process-start.ts'
import { lockDirectory } from '../store/directory/lock.ts'
import { type Command, runDaemon } from './daemon-process.ts'
import { openLogFile } from './log-file.ts'
import {
  type BackgroundState,
  logPath,
  olderLogPath,
  type Problem,
  removeBackground,
  writeBackground,
} from './state.ts'

export interface SuperviseOptions {
  readonly dataDir: string
  readonly command: Command
  readonly stop: AbortSignal
  readonly rules?: RestartRules
  readonly mostLogBytes?: number
}

/**
 * Supervises the daemon of a data directory: keeps its log, and restarts it after a crash. Returns true when it was
 * stopped normally, false when it is not restarted any more. Throws StoreLockedError if another supervisor runs.
 */
export async function supervise(options: SuperviseOptions): Promise<boolean> {
  const { dataDir, command, stop, rules = RESTART_RULES, mostLogBytes } = options
  await using _lock = await lockDirectory(dataDir, 'lock-background')
  const place = await stat(dataDir)
  const file = openLogFile(logPath(dataDir), olderLogPath(dataDir), mostLogBytes)
  const log = createLog('info', file)
  const self = { pid: process.pid, processStart: (await processStart(process.pid)) ?? 'unknown' }
  let restarts = 0
  let lastCrash: Problem | undefined
  /** Written one after the other; failures are ignored, because a full disk must not end the daemon. */
  let written = Promise.resolve()
  const writeState = (phase: BackgroundState['phase'], problem?: Problem) => {
    const state: BackgroundState = {
      ...self,
      phase,
      since: new Date().toISOString(),
      restarts,
      ...defined({ problem, lastCrash }),
    }
    written = written.then(() => writeBackground(dataDir, state)).catch(() => {})
    return written
  }

  let past = { hasListened: false, crashes: 0 }
  for (;;) {
    await writeState('starting')
    const exit = await runDaemon(command, stop, {
      listening: ({ url, pid }) => {
        log.info({ url, pid }, 'the daemon listens')
        void writeState('running')
      },
      printed: (line) => file.write(withoutSecrets(line)),
    })
    const verdict = stop.aborted ? { act: 'end' as const } : afterExit(exit, past, rules)
    if (verdict.act === 'end') {
      log.info('the daemon was stopped')
      await written
      await removeBackground(dataDir).catch(() => {})
      return true
    }
    if (verdict.act !== 'restart') {
      const problem = verdict.act === 'refused' ? exit.problem : gaveUp(verdict.crashes, exit.problem)
      log.error(problem, 'the daemon is not started again')
      await writeState('gave up', problem)
      return false
    }
    const { crashes, afterMillis } = verdict
    log.warn({ ...exit.problem, crashes, afterMillis }, 'the daemon crashed and will be started again')
    await writeState('waiting', exit.problem)
    await delay(afterMillis, undefined, { signal: stop }).catch(() => {})
    if (!stop.aborted && !isSamePlace(place, await stat(dataDir).catch(() => undefined))) {
      log.error(moved(dataDir), 'the daemon is not started again')
      return false
    }
    past = { hasListened: past.hasListened || exit.hasListened, crashes }
    restarts++
    lastCrash = exit.problem
  }
}

/** In a new directory at the same path, a daemon would start with an empty store. */
const isSamePlace = (before: Stats, now: Stats | undefined): boolean =>
  before.ino === now?.ino && before.dev === now.dev

const moved = (dataDir: string): Problem => ({
  message: `The data directory ${dataDir} was moved or removed while the daemon ran`,
  next: 'Start it again with `cacpd up -d` in the repository, where that is now',
})

const gaveUp = (crashes: number, { message }: Problem): Problem => ({
  message: `The daemon crashed ${crashes} times in a row, each time soon after its start: ${message}`,
  next: 'See `cacpd logs` for what it printed, then start it again with `cacpd up -d`',
})
