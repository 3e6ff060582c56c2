import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart, signal, statFields } from './process-start.ts'

/** A process that leads a group of its own, and the variable that all its descendants have in their environment. */
export interface ProcessTree {
  readonly pid: number
  /** As `processStart` returns it; another process with the same pid is not ours. */
  readonly start: string | undefined
  /** `NAME=value` */
  readonly mark: string
}

/** How long a tree may take to end before it is killed. */
const GRACE_MILLIS = 2000
const POLL_MILLIS = 50

/**
 * Ends all processes of a tree: with SIGTERM first, then with SIGKILL. Where the system shows them, also those that
 * left the group.
 */
export async function endTree(tree: ProcessTree, graceMillis = GRACE_MILLIS): Promise<void> {
  signal(-tree.pid, 'SIGTERM')
  const until = performance.now() + graceMillis
  while (signal(-tree.pid, 0) && performance.now() < until) await sleep(POLL_MILLIS)
  signal(-tree.pid, 'SIGKILL')
  for (const pid of await markedProcesses(tree.mark)) signal(pid, 'SIGKILL')
}

/** Kills what was left running when the daemon stopped last, at once. */
export async function endLeftover({ pid, start, mark }: ProcessTree): Promise<void> {
  // The pid may belong to another process by now; the start time and the variable in the environment do not.
  if (start !== undefined && (await processStart(pid)) === start) signal(-pid, 'SIGKILL')
  for (const marked of await markedProcesses(mark)) signal(marked, 'SIGKILL')
}

/** Bytes of memory that the processes of a group use together; undefined where the system does not tell. */
export async function groupMemory(group: number): Promise<number | undefined> {
  let bytes: number | undefined
  for (const pid of await allProcesses()) {
    const fields = statFields(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''))
    if (Number(fields[PGRP]) !== group) continue
    bytes = (bytes ?? 0) + Number(fields[RSS_PAGES]) * PAGE_BYTES
  }
  return bytes
}

/** Positions in /proc/PID/stat, counted after the name: the process group, and the resident pages. */
const PGRP = 5 - 3
const RSS_PAGES = 24 - 3
const PAGE_BYTES = 4096

async function markedProcesses(mark: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await allProcesses()) {
    // There is none where the process has ended, or belongs to another user.
    const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
    if (pid !== process.pid && `\0${environment}`.includes(`\0${mark}\0`)) found.push(pid)
  }
  return found
}

async function allProcesses(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}
