import { setTimeout as delay } from 'node:timers/promises'
import { DataDirError, readEndpoint } from '../place/data-dir.ts'
import { isAlive, type NamedProcess } from '../runner/process-start.ts'
import { assertNotLockedElsewhere } from '../store/directory/lock.ts'
import { readBackground, removeBackground } from './state.ts'

const GONE_MILLIS = 30_000
const POLL_MILLIS = 30

interface RunningProcess extends NamedProcess {
  readonly what: 'supervisor' | 'daemon'
}

/** Stops the daemon of a data directory and its supervisor, if any, and returns when both are gone. */
export async function endDaemon(dataDir: string, withinMillis = GONE_MILLIS) {
  const supervisor = await readBackground(dataDir)
  const daemon = await readEndpoint(dataDir)
  const toEnd = await livingOf([
    ...(supervisor === undefined ? [] : [{ ...supervisor, what: 'supervisor' as const }]),
    ...(daemon === undefined ? [] : [{ ...daemon, what: 'daemon' as const }]),
  ])
  if (toEnd.length === 0) await assertNotLockedElsewhere(dataDir)
  // The supervisor stops the daemon; if only the daemon were stopped, the supervisor would start it again.
  if (toEnd[0] !== undefined) await terminate(toEnd[0])
  const until = performance.now() + withinMillis
  for (const one of toEnd) {
    while (await isAlive(one)) {
      if (performance.now() > until) throw stillThere(one, await livingOf(toEnd))
      await delay(POLL_MILLIS)
    }
  }
  // A supervisor that was killed has left its file behind.
  await removeBackground(dataDir)
  return toEnd.map(({ what, pid }) => ({ what, pid }))
}

async function terminate(one: NamedProcess): Promise<void> {
  try {
    process.kill(one.pid, 'SIGTERM')
  } catch (error) {
    if (!(await isAlive(one))) return
    throw new DataDirError(
      `Process ${one.pid} cannot be ended (${(error as NodeJS.ErrnoException).code})`,
      'Run this as the user who started the daemon',
      error,
    )
  }
}

async function livingOf(all: readonly RunningProcess[]): Promise<RunningProcess[]> {
  const living: RunningProcess[] = []
  for (const one of all) if (await isAlive(one)) living.push(one)
  return living
}

/**
 * Names the daemon, because the supervisor waits for it; but both have to be killed, because the supervisor would
 * start the daemon again.
 */
function stillThere(waitedFor: RunningProcess, living: readonly RunningProcess[]): DataDirError {
  const { what, pid } = living.at(-1) ?? waitedFor
  const pids = living.map((one) => one.pid).join(' ') || pid
  return new DataDirError(
    `The ${what} (process ${pid}) was told to stop, and still finishes what it is at`,
    `Wait and look again, or end it the hard way with kill -9 ${pids}: what was acknowledged is on disk`,
  )
}
