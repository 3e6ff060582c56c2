import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { cpuMs } from '../cpu.ts'
import { type Figure, figure } from '../figure.ts'
import { callOnce } from '../http-request.ts'
import { createProject, joinAs, listPeers, proposeSmall } from '../material.ts'
import { holds, until } from '../mesh.ts'
import { mostResidentBytes, residentBytes } from '../resident.ts'
import { median } from '../rounds.ts'
import { answerOf, type RunningDaemon } from '../workshop.ts'
import type { Flooded, FloodJob } from './flooder.ts'
import { areEqual, countMissing, works } from './kept.ts'
import { ORG, onHub, startHub, untilCurrent } from './server.ts'

const DAEMONS = 3
const MESSAGES = 1_000_000
/** Before the flood, each to all daemons. */
const WRITES = 40
/** During it, so often. */
const EVERY_MS = 2000
const BETWEEN_MS = 50
const LONGEST_MS = 3_600_000
const MIB = 1024 ** 2
/** What a daemon may take more than before, however long the flood lasts. */
const MOST_MORE_BYTES = 256 * MIB

interface Team {
  readonly projectId: string
  readonly daemons: readonly RunningDaemon[]
  /** The contracts that a daemon said it keeps. */
  readonly acknowledged: Set<string>
  /** How many contracts they were told of. */
  asked: number
}

/** One user publishes a million messages that are of no use, while honest daemons write and read. */
export async function hubFlood({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  const messages = brevity > 1 ? MESSAGES / 50 : MESSAGES
  progress.begin(`a flood of ${messages} messages on a hub`)
  await using server = await startHub()
  const daemons: RunningDaemon[] = []
  for (let n = 0; n < DAEMONS; n++)
    daemons.push(await workshop.daemon(workshop.folder(), { name: `flood-${n}`, env: onHub(server.url) }))
  const [first] = daemons as [RunningDaemon, ...RunningDaemon[]]
  const { projectId } = await callOnce<{ projectId: string }>(first, createProject(1))
  for (const one of daemons)
    await until('a daemon has joined', () => works(callOnce(one, joinAs(projectId, one.repo))), 50)
  const team = { projectId, daemons, acknowledged: new Set<string>(), asked: 0 }

  progress.step('writes before it')
  const without: number[] = []
  while (without.length < WRITES) without.push(await timeToAll(team))
  await untilCurrent(daemons)
  const before = daemons.map(({ pid }) => ({ bytes: residentBytes(pid), cpu: cpuMs(pid) }))

  const isOver = new AbortController()
  const answers = Promise.all(daemons.map((one) => longestAnswer(one, isOver.signal)))
  const begin = performance.now()
  const job: FloodJob = { url: server.url, org: ORG, projectId, messages }
  const flooder = workshop.forkBundled('hub/flooder.ts', JSON.stringify(job))
  let published: Flooded | undefined
  const publishing = answerOf<Flooded>(flooder, 'hub/flooder.ts').then((told) => {
    published = told
  })
  // Each in its time, however long those before take: who waited for them would write only when it is fast.
  const writes: Promise<number>[] = []
  while (published === undefined) {
    writes.push(timeToAll(team))
    progress.step(`${writes.length} writes during the flood`)
    await Promise.race([publishing, sleep(EVERY_MS)])
  }
  flooder.kill()
  const during = await Promise.all(writes)
  // Read after the last message of the flood.
  await timeToAll(team)
  const passedMs = performance.now() - begin
  isOver.abort()
  const longest = Math.max(...(await answers))
  const after = daemons.map(({ pid }) => ({
    bytes: residentBytes(pid),
    most: mostResidentBytes(pid),
    cpu: cpuMs(pid),
  }))

  progress.step('waiting until all are equal')
  await until('all daemons are equal', () => areEqual(daemons), 200, LONGEST_MS)
  const equalMs = performance.now() - begin - passedMs
  let lost = 0
  for (const one of daemons) lost += await countMissing(one, projectId, team.acknowledged)
  const told = await Promise.all(daemons.map(refusedAt))
  await Promise.all(daemons.map((one) => one.stop()))

  const each = after.map(({ cpu }, index) => ((cpu - (before[index]?.cpu ?? 0)) * 1000) / messages)
  const more = Math.max(...after.map(({ most }, index) => most - (before[index]?.bytes ?? 0)))
  const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MiB`
  return [
    figure({
      name: `acknowledged writes that a daemon lacks after a flood of ${messages} messages by one user`,
      unit: 'rows',
      ours: lost,
      comparedWith: { name: `acknowledged, on each of ${DAEMONS} daemons`, value: team.acknowledged.size },
      ratio: lost / team.acknowledged.size,
      goal: { of: 'ours', most: 0 },
      notes: [
        'no statements, forged, without what they cite, of another project or organisation, and as large as the server takes; ' +
          `all equal ${(equalMs / 1000).toFixed(1)} s after it was passed; hub status told of ${told.join(', ')} refused`,
      ],
    }),
    figure({
      name: `one write to all of ${DAEMONS} daemons during a flood ÷ without`,
      unit: 'ms',
      ours: median(during),
      comparedWith: { name: 'without', value: median(without) },
      ratio: median(during) / median(without),
      goal: null,
      notes: [
        `${during.length} writes, one every ${EVERY_MS / 1000} s, the longest ${(Math.max(...during) / 1000).toFixed(1)} s: a daemon ` +
          `reads what was published before them; longest answer of a daemon to a call meanwhile ${longest.toFixed(0)} ms`,
      ],
    }),
    figure({
      name: `time until ${DAEMONS} daemons have passed a flood of ${messages} messages ÷ publishing it`,
      unit: 'ms',
      ours: passedMs,
      comparedWith: { name: 'publishing', value: published.ms },
      ratio: passedMs / published.ms,
      goal: null,
      notes: [
        `${median(each).toFixed(0)} µs of processor time of a daemon for each message; a sixth of them costs the check of a ` +
          'signature',
      ],
    }),
    figure({
      name: 'memory of a daemon, the most during a flood − before',
      unit: 'bytes',
      ours: more,
      comparedWith: { name: 'before', value: median(before.map(({ bytes }) => bytes)) },
      ratio: more / median(before.map(({ bytes }) => bytes)),
      goal: { of: 'ours', most: MOST_MORE_BYTES },
      notes: [
        `resident: ${after.map(({ bytes, most }, index) => `${inMib(before[index]?.bytes ?? 0)} before, ${inMib(most)} at most, ${inMib(bytes)} after`).join('; ')}`,
      ],
    }),
  ]
}

/** How long a contract takes from one daemon to all; each daemon has its turn. */
async function timeToAll(team: Team): Promise<number> {
  const { projectId, daemons, acknowledged } = team
  const number = team.asked++
  const writer = daemons[number % daemons.length] as RunningDaemon
  const begin = performance.now()
  const { contractId } = await callOnce<{ contractId: string }>(writer, proposeSmall(projectId, number))
  acknowledged.add(contractId)
  const spent = () => performance.now() - begin
  for (const one of daemons)
    while (!(await holds(one, projectId, contractId))) {
      if (spent() > LONGEST_MS) throw new Error(`A write was not at all daemons within ${LONGEST_MS} ms`)
      // Seldom where it takes long: asking must not be what the daemons are busy with.
      await sleep(Math.max(10, spent() / 20))
    }
  return spent()
}

/** Asks something small again and again: whatever holds up the daemon holds up its answer. */
async function longestAnswer(daemon: RunningDaemon, signal: AbortSignal): Promise<number> {
  let longest = 0
  while (!signal.aborted) {
    const begin = performance.now()
    await callOnce(daemon, listPeers())
    longest = Math.max(longest, performance.now() - begin)
    await sleep(BETWEEN_MS)
  }
  return longest
}

async function refusedAt(daemon: RunningDaemon): Promise<number> {
  const { hub } = await callOnce<{ hub: { refusedHere: { count: number } } }>(daemon, {
    method: 'cacp/hub/status',
    params: {},
  })
  return hub.refusedHere.count
}
