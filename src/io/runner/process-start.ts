import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * When a process started, as text that no other process with the same pid ever has; undefined when there is no such
 * process. A zombie (killed, but not collected by its parent) counts as gone.
 */
export const processStart = (pid: number): Promise<string | undefined> =>
  process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)

export interface NamedProcess {
  readonly pid: number
  /** When it started, which distinguishes it from a later one with the same pid. */
  readonly processStart: string
}

export const isAlive = async (named: NamedProcess): Promise<boolean> =>
  (await processStart(named.pid)) === named.processStart

/**
 * The fields of a /proc/PID/stat after the second one, which is the name in parentheses and may contain anything. The
 * manual counts from 1, so its field n is at n - 3.
 */
export const statFields = (stat: string): string[] => stat.slice(stat.lastIndexOf(')') + 2).split(' ')

async function startFromProc(pid: number): Promise<string | undefined> {
  // In a namespace without a /proc of its own, our pid means another process there.
  const name = pid === process.pid ? 'self' : pid
  try {
    const fields = statFields(await readFile(`/proc/${name}/stat`, 'latin1'))
    const [state, ticks] = [fields[0], fields[22 - 3]]
    if (state === 'Z' || state === 'X') return undefined
    // Ticks count from the boot of the machine.
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1')
    return `${boot.trim()} ${ticks}`
  } catch {
    return undefined
  }
}

async function startFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
      // The same format whatever the language and time zone of the user.
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
    })
    return stdout.trim() || undefined
  } catch (error) {
    const hasNoPs = error instanceof Error && 'code' in error && error.code === 'ENOENT'
    return hasNoPs && signal(pid, 0) ? 'running' : undefined
  }
}

/** Signals a process, or a group by its negative number; 0 only asks. False where it has ended already. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
