import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Where a process runs, to decide from where it can be seen whether it is still running. */
export interface ProcessPlace {
  /** Identifies one boot of one kernel; null where the system does not tell. */
  readonly kernel: string | null
  /** The namespace in which its pid is valid; null where /proc shows the pids of another namespace. */
  readonly pids: string | null
  /** Stays the same across reboots; null where the system does not tell. */
  readonly machine: string | null
  /** The name of the machine, or of the container. */
  readonly host: string
}

export async function processPlace(): Promise<ProcessPlace> {
  const host = hostname()
  // Other systems have no namespaces: all processes of a machine see each other.
  if (process.platform !== 'linux')
    return { kernel: `${process.platform} ${host}`, pids: 'all', machine: null, host }
  const [kernel, pids, machine] = await Promise.all([
    lineOf('/proc/sys/kernel/random/boot_id'),
    pidNamespace(),
    lineOf('/etc/machine-id'),
  ])
  return { kernel, pids, machine, host }
}

/** One number for every namespace that the process is in, beginning with the one of this /proc. */
const ONE_PID = /^NSpid:\t\d+$/m

async function pidNamespace(): Promise<string | null> {
  try {
    const status = await readFile('/proc/self/status', 'latin1')
    return ONE_PID.test(status) ? await readlink('/proc/self/ns/pid') : null
  } catch {
    return null
  }
}

async function lineOf(path: string): Promise<string | null> {
  const text = await readFile(path, 'latin1').catch(() => '')
  return text.trim() || null
}
