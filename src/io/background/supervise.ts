import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import { setTimeout as passing } from 'node:timers/promises'
import { afterLife, RESTART_RULES, type RestartRules } from '../../setup/service/restarts.ts'
import { createLog, withoutSecrets } from '../audit/log.ts'
import { processStart } from '../runner/process-start.ts'
import { lockDirectory } from '../store/directory/lock.ts'
import { LogFile } from './log-file.ts'
import { type Command, oneLife } from './one-life.ts'
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
 * Watches over the daemon of a data directory: keeps its log, and starts it again when it crashes. Returns when it was
 * ended in order (true) or is not started any more (false). Throws StoreLockedError where another one watches.
 */
export async function supervise(options: SuperviseOptions): Promise<boolean> {
  const { dataDir, command, stop, rules = RESTART_RULES, mostLogBytes } = options
  await using _lock = await lockDirectory(dataDir, 'lock-background')
  const place = await stat(dataDir)
  const file = new LogFile(logPath(dataDir), olderLogPath(dataDir), mostLogBytes)
  const log = createLog('info', file)
  const self = { pid: process.pid, processStart: (await processStart(process.pid)) ?? 'unknown' }
  let restarts = 0
  let lastCrash: Problem | undefined
  /** One after the other, and none is worth a daemon: a full disk takes none. */
  let written = Promise.resolve()
  const tell = (phase: BackgroundState['phase'], problem?: Problem) => {
    const state: BackgroundState = {
      ...self,
      phase,
      since: new Date().toISOString(),
      restarts,
      ...(problem === undefined ? {} : { problem }),
      ...(lastCrash === undefined ? {} : { lastCrash }),
    }
    written = written.then(() => writeBackground(dataDir, state)).catch(() => {})
    return written
  }

  let past = { hasListened: false, crashes: 0 }
  for (;;) {
    await tell('starting')
    const life = await oneLife(command, stop, {
      listening: ({ url, pid }) => {
        log.info({ url, pid }, 'the daemon listens')
        void tell('running')
      },
      said: (line) => file.write(withoutSecrets(line)),
    })
    const verdict = stop.aborted ? { act: 'end' as const } : afterLife(life, past, rules)
    if (verdict.act === 'end') {
      log.info('the daemon was stopped')
      await written
      await removeBackground(dataDir).catch(() => {})
      return true
    }
    if (verdict.act !== 'restart') {
      const problem = verdict.act === 'refused' ? life.problem : gaveUp(verdict.crashes, life.problem)
      log.error(problem, 'the daemon is not started again')
      await tell('gave up', problem)
      return false
    }
    const { crashes, afterMillis } = verdict
    log.warn({ ...life.problem, crashes, afterMillis }, 'the daemon crashed and will be started again')
    await tell('waiting', life.problem)
    await passing(afterMillis, undefined, { signal: stop }).catch(() => {})
    if (!stop.aborted && !isSamePlace(place, await stat(dataDir).catch(() => undefined))) {
      log.error(moved(dataDir), 'the daemon is not started again')
      return false
    }
    past = { hasListened: past.hasListened || life.hasListened, crashes }
    restarts++
    lastCrash = life.problem
  }
}

/** In a directory that took the place of one that was moved, a daemon would begin anew, with nothing. */
const isSamePlace = (before: Stats, now: Stats | undefined): boolean =>
  before.ino === now?.ino && before.dev === now.dev

const moved = (dataDir: string): Problem => ({
  message: `The data directory ${dataDir} was moved or removed while the daemon ran`,
  next: 'Start it again with `cacpd up -d` in the repository, where that is now',
})

const gaveUp = (crashes: number, { message }: Problem): Problem => ({
  message: `The daemon crashed ${crashes} times in a row, each time soon after its start: ${message}`,
  next: 'See `cacpd logs` for what it said, then start it again with `cacpd up -d`',
})
