import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { LAUNCHER } from '../../launcher.ts'
import { readOperatorKey } from '../place/data-dir.ts'
import { withoutOwnVariables } from '../place/own-command.ts'

export type DemoDaemon = ReturnType<typeof startDemoDaemon>

interface Where {
  readonly root: string
  /** The state directory of the demo, so that nothing of it gets into the user's own. */
  readonly stateDir: string
  readonly logFile: string
  /** Whether it lets programs of this machine in without a key. */
  readonly isOpen?: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}

const START_MILLIS = 20_000
const STOP_MILLIS = 8000
const LOG_TAIL = 400

/** A daemon in a process of its own, as `cacpd start` starts it in that repository. */
export function startDemoDaemon(where: Where) {
  const child = spawnDaemon(where)
  return {
    pid: child.pid ?? 0,
    listening: () => untilListening(child, where),
    /** Stops it normally; kills it if that takes too long. */
    stop: () => stop(child),
    /** Kills it at once, for a caller that is about to end itself. */
    kill: () => void child.kill('SIGKILL'),
    /** Lets it outlive this process. */
    release: () => {
      child.unref()
      child.stdout?.destroy()
    },
  }
}

function spawnDaemon({ root, stateDir, logFile, isOpen = false, env }: Where): ChildProcess {
  const log = openSync(logFile, 'a', 0o600)
  try {
    return spawn(
      process.execPath,
      [LAUNCHER, 'start', '--json', '--port', '0', ...(isOpen ? ['--open'] : [])],
      {
        cwd: root,
        // In a process group of its own, so that Ctrl-C reaches only the demo itself, which then stops both daemons.
        detached: true,
        stdio: ['ignore', 'pipe', log],
        env: { ...withoutOwnVariables(env), XDG_STATE_HOME: stateDir },
      },
    )
  } finally {
    closeSync(log)
  }
}

async function untilListening(child: ChildProcess, { root, logFile }: Where) {
  if (child.stdout === null) throw new TypeError('a daemon of the demo needs a pipe for its stdout')
  const ended = new AbortController()
  const timer = setTimeout(() => ended.abort(), START_MILLIS)
  child.once('exit', () => ended.abort()).once('error', () => ended.abort())
  try {
    const [line] = await once(createInterface(child.stdout), 'line', { signal: ended.signal })
    const { url } = JSON.parse(String(line)) as { url: string }
    return { url, key: await readOperatorKey(join(root, '.cacp')) }
  } catch (error) {
    const log = await readFile(logFile, 'utf8').catch(() => '')
    const said = log.trim().slice(-LOG_TAIL) || 'it said nothing'
    throw new Error(`A daemon of the demo did not start: ${said}`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MILLIS)
  await exited
  clearTimeout(timer)
}
