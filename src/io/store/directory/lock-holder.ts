import { readFile, readlink, stat, statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import { jsonIn } from '../../../protocol/json/in.ts'
import { processStart } from '../../runner/process-start.ts'
import { answersAtSocket } from './lock-socket.ts'

/** Where a process runs, to decide from where it can be seen whether it is still running. */
interface ProcessPlace {
  /** Identifies one boot of one kernel; null where the system does not tell. */
  readonly kernel: string | null
  /** The namespace in which its pid is valid; null where /proc shows the pids of another namespace. */
  readonly pids: string | null
  /** Stays the same across reboots; null where the system does not tell. */
  readonly machine: string | null
  /** The name of the machine, or of the container. */
  readonly host: string
}

/** The process that a lock names. */
export interface LockHolder extends ProcessPlace {
  readonly pid: number
  readonly started: string
  readonly nonce: string
  /** The device number of the directory's file system. */
  readonly disk: number
}

/**
 * `here`: it runs, and its pid is valid here too. `elsewhere`: it runs in another container. `unknown`: this cannot
 * be determined, so it has to be treated as running.
 */
export type Whereabouts = 'here' | 'elsewhere' | 'unknown' | 'gone'

export async function ownHolder(directory: string, nonce: string): Promise<LockHolder> {
  const [place, started, { dev }] = await Promise.all([
    processPlace(),
    processStart(process.pid),
    stat(directory),
  ])
  return { pid: process.pid, started: started ?? 'unknown', nonce, disk: dev, ...place }
}

/** Undefined when the content is incomplete, because a power failure cut the write short. */
export function holderIn(content: string): LockHolder | undefined {
  const found = jsonIn(content)
  const { pid, started, nonce } = Object(found) as Record<string, unknown>
  const isHolder = Number.isSafeInteger(pid) && [started, nonce].every((text) => typeof text === 'string')
  return isHolder ? (found as LockHolder) : undefined
}

export async function whereaboutsOf(holder: LockHolder, directory: string): Promise<Whereabouts> {
  const own = await processPlace()
  if (typeof holder.kernel !== 'string' || own.kernel === null) return 'unknown'
  if (holder.kernel !== own.kernel)
    return (await isOfAnEarlierStart(holder, own, directory)) ? 'gone' : 'unknown'
  if (holder.pids !== null && holder.pids === own.pids)
    return (await processStart(holder.pid)) === holder.started ? 'here' : 'gone'
  if (holder.disk !== (await stat(directory)).dev)
    // Through another mount the socket may not answer although its process runs. But the file system of a container
    // is mounted anew at each of its starts, and never twice at the same time.
    return (await fileSystemOf(directory)) === 'overlay' ? 'gone' : 'unknown'
  const answers = await answersAtSocket(directory, holder.nonce)
  return answers === undefined ? 'unknown' : answers ? 'elsewhere' : 'gone'
}

async function processPlace(): Promise<ProcessPlace> {
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

/** Whether a holder under another kernel ran on this machine before it was rebooted, and not on another machine. */
async function isOfAnEarlierStart(holder: LockHolder, own: ProcessPlace, directory: string) {
  const isSameMachine = own.machine !== null && holder.machine === own.machine && holder.host === own.host
  return isSameMachine || (await fileSystemOf(directory)) !== undefined
}

/** File systems that no two kernels can have mounted at the same time, by the numbers that Linux gives them. */
const OF_ONE_MACHINE: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x58465342, 'xfs'],
  [0x9123683e, 'btrfs'],
  [0x2fc12fc1, 'zfs'],
  [0xf2f52010, 'f2fs'],
  [0x01021994, 'tmpfs'],
  [0x794c7630, 'overlay'],
])

/** The name of one of those file systems; undefined for all others. */
async function fileSystemOf(directory: string): Promise<string | undefined> {
  return process.platform === 'linux' ? OF_ONE_MACHINE.get((await statfs(directory)).type) : undefined
}
