import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { processStart } from './process-start.ts'

/** A process that leads a group of its own, and the variable that all its offspring have in their environment. */
export interface ProcessTree {
  readonly pid: number
  /** As `processStart` tells it; another process with the same pid is none of ours. */
  readonly start: string | undefined
  /** `NAME=value` */
  readonly mark: string
}

/** How long a tree has to end in order, before it is ended anyhow. */
const GRACE_MILLIS = 2000
const LOOK_MILLIS = 50

/** Ends all of it: with a polite signal first, and then for good. Also what left the group, where that can be seen. */
export async function endTree(tree: ProcessTree, graceMillis = GRACE_MILLIS): Promise<void> {
  signalGroup(tree.pid, 'SIGTERM')
  const until = performance.now() + graceMillis
  while (isGroupAlive(tree.pid) && performance.now() < until) await sleep(LOOK_MILLIS)
  signalGroup(tree.pid, 'SIGKILL')
  for (const pid of await markedProcesses(tree.mark)) signal(pid, 'SIGKILL')
}

/** The same for what an earlier life of the daemon left behind, at once. */
export async function endLeftover({ pid, start, mark }: ProcessTree): Promise<void> {
  // A pid may belong to somebody else by now; a start time or a mark in the environment does not.
  if (start !== undefined && (await processStart(pid)) === start) signalGroup(pid, 'SIGKILL')
  for (const marked of await markedProcesses(mark)) signal(marked, 'SIGKILL')
}

/** Bytes of memory that the processes of a group take together; undefined where the system does not tell. */
export async function groupMemory(group: number): Promise<number | undefined> {
  let bytes: number | undefined
  for (const pid of await allProcesses()) {
    const fields = await statFields(pid)
    if (fields === undefined || Number(fields[PGRP]) !== group) continue
    bytes = (bytes ?? 0) + Number(fields[RSS_PAGES]) * PAGE_BYTES
  }
  return bytes
}

/** Of the fields of /proc/PID/stat that follow the name: the process group, and the resident pages. */
const PGRP = 5 - 3
const RSS_PAGES = 24 - 3
const PAGE_BYTES = 4096

async function statFields(pid: number): Promise<string[] | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

async function markedProcesses(mark: string): Promise<number[]> {
  const found: number[] = []
  for (const pid of await allProcesses()) {
    try {
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1')
      if (`\0${environment}`.includes(`\0${mark}\0`)) found.push(pid)
    } catch {
      // It is gone, or somebody else's.
    }
  }
  return found.filter((pid) => pid !== process.pid)
}

async function allProcesses(): Promise<number[]> {
  try {
    return (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  } catch {
    return []
  }
}

function signalGroup(pid: number, name: NodeJS.Signals): void {
  signal(-pid, name)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // Nobody is left to hear it.
  }
}

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0)
  } catch {
    return false
  }
}
