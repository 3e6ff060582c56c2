import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Where a process runs: it says from where one can tell whether the process is still there. */
export interface ProcessPlace {
  /** One start of one kernel; null where the system does not tell. */
  readonly kernel: string | null
  /** Within which its pid names that process; null where /proc shows the pids of others. */
  readonly pids: string | null
  /** Stays the same when the machine is started again; null where the system does not tell. */
  readonly machine: string | null
  /** What the machine, or the container, is called. */
  readonly host: string
}

export async function processPlace(): Promise<ProcessPlace> {
  const host = hostname()
  // Elsewhere there are no namespaces: all processes of a machine see each other.
  if (process.platform !== 'linux')
    return { kernel: `${process.platform} ${host}`, pids: 'all', machine: null, host }
  const [kernel, pids, machine] = await Promise.all([
    lineOf('/proc/sys/kernel/random/boot_id'),
    pidNamespace(),
    lineOf('/etc/machine-id'),
  ])
  return { kernel, pids, machine, host }
}

/** Numbered for every namespace that it is in, beginning with the one that /proc belongs to. */
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
