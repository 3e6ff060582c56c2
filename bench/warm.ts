import { cp, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { type Call, listInbox, searchFor } from './material.ts'
import type { RunningDaemon } from './workshop.ts'

const CONTRACTS = 100_000
const PROJECTS = 20

interface Firsts {
  inbox: number
  search: number
}

/** What the first who ask wait for at a large store, before and after the daemon has got ready in the background. */
export async function warm({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  const contracts = Math.ceil(CONTRACTS / brevity)
  progress.begin(`first inbox and first search at ${contracts} contracts`)
  const directory = workshop.folder()
  const copy = workshop.folder()
  await workshop.fill({ directory, projects: PROJECTS, contracts })
  await cp(directory, copy, { recursive: true })

  progress.step('getting ready')
  const begin = performance.now()
  // All of the time, so that it ends soon; what comes afterwards is the same with less.
  const ready = await workshop.daemon(directory, { env: { CACP_WARM_UP_PERCENT: '100' } })
  await untilIdle(ready)
  const readyAfter = performance.now() - begin
  const after = await firstsAt(ready)
  await ready.stop()
  progress.step('without that')
  const asked = await workshop.daemon(copy, { env: { CACP_WARM_UP_PERCENT: '0' } })
  const before = await firstsAt(asked)
  await asked.stop()

  const about = (what: keyof Firsts) =>
    figure({
      name: `first ${what} of a life at ${contracts} contracts ÷ without getting ready`,
      unit: 'ms',
      ours: after[what],
      comparedWith: { name: 'the same daemon that was not ready', value: before[what] },
      ratio: after[what] / before[what],
      goal: { of: 'ours', most: 1000 },
      notes: [
        `ready ${(readyAfter / 1000).toFixed(1)} s after the start, with all of the time; with a tenth of it, as usual, about ten times that`,
      ],
    })
  return [about('inbox'), about('search')]
}

async function firstsAt(daemon: RunningDaemon): Promise<Firsts> {
  return {
    inbox: await millisOf(daemon, listInbox()),
    search: await millisOf(daemon, searchFor('user profile')),
  }
}

async function millisOf(daemon: RunningDaemon, call: Call): Promise<number> {
  const begin = performance.now()
  await callOnce(daemon, call)
  return performance.now() - begin
}

/** When it has worked nothing for a second. */
async function untilIdle({ pid }: RunningDaemon): Promise<void> {
  for (let before = -1; ; ) {
    const now = await ticksOf(pid)
    if (now - before <= 1) return
    before = now
    await sleep(1000)
  }
}

/** Hundredths of a second that a process has worked. */
async function ticksOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(user) + Number(system)
}
