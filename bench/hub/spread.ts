import type { ChildProcess } from 'node:child_process'
import type { Bench } from '../bench.ts'
import { cpuMs } from '../cpu.ts'
import { type Figure, figure } from '../figure.ts'
import { callOnce } from '../http-request.ts'
import { createProject, listPeers, propose, proposeSmall, updateSmall } from '../material.ts'
import { connectWith, hasToldAll, holdsAllOf, statementsOf, until } from '../mesh.ts'
import { load, median } from '../rounds.ts'
import { waitForVersion } from '../waits.ts'
import { answerOf, type RunningDaemon } from '../workshop.ts'
import { spreadChart } from './chart.ts'
import type { Awaited, EnginesJob } from './engines.ts'
import { loopbackBytes, loopbackConnections } from './loopback.ts'
import { ORG, onHub, startHub, untilCurrent } from './server.ts'

const ON_HUB = [5, 10, 20, 50, 200]
const IN_MESH = [5, 10, 20]
/** Those beyond are engines in one process: so many processes would measure how the machine changes between them. */
const MOST_PROCESSES = 20
const WRITES = 1000
const CONNECTIONS = 16
const ROUNDS = 9

/** What one write and many cost a number of daemons that all get them from one of them. */
export interface Spread {
  readonly daemons: number
  readonly oneMs: number
  readonly manyMs: number
  /** Processor time of a daemon that only reads, for each write. */
  readonly cpuMsEach: number
  readonly bytesEach: number
  readonly connectionsEach: number
}

interface Team {
  readonly writer: RunningDaemon
  readonly readers: readonly RunningDaemon[]
  /** Engines beside them, as a process that tells when they have everything. */
  readonly engines: ChildProcess | undefined
  readonly daemons: number
  readonly connections: number
}

/** How long until all daemons have what one of them was told, on a hub and in a full mesh. */
export async function hubSpread(bench: Bench): Promise<Figure[]> {
  const { progress, brevity, charts } = bench
  progress.begin('spreading over a hub and a mesh')
  const sizes = (all: readonly number[]) => (brevity > 1 ? all.slice(0, -1) : all)
  const hub: Spread[] = []
  for (const daemons of sizes(ON_HUB)) hub.push(await overHub(bench, daemons))
  const mesh: Spread[] = []
  for (const daemons of sizes(IN_MESH)) mesh.push(await inMesh(bench, daemons))
  charts.set('hub-spread.svg', spreadChart({ hub, mesh, writes: WRITES }))
  return figuresOf(hub, mesh)
}

async function overHub(bench: Bench, daemons: number): Promise<Spread> {
  const { workshop, progress } = bench
  progress.step(`starting ${daemons} daemons on a hub`)
  const before = loopbackConnections()
  await using server = await startHub()
  const processes = Math.min(daemons, MOST_PROCESSES)
  const env = onHub(server.url)
  const writer = await workshop.daemon(workshop.folder(), { env })
  const readers: RunningDaemon[] = []
  for (let n = 1; n < processes; n++)
    readers.push(await workshop.daemon(workshop.folder(), { name: `hub-${n}`, env }))
  const names = Array.from({ length: daemons - processes }, (_, index) => `engine-${index}`)
  const engines = names.length === 0 ? undefined : await startEngines(bench, server.url, names)
  await untilCurrent([writer, ...readers])
  const connections = loopbackConnections() - before
  return await measured(bench, { writer, readers, engines, daemons, connections })
}

async function startEngines(
  { workshop }: Bench,
  url: string,
  names: readonly string[],
): Promise<ChildProcess> {
  const directory = workshop.folderInMemory()
  const job: EnginesJob = { url, org: ORG, names, directory }
  const engines = workshop.forkBundled('hub/engines.ts', JSON.stringify(job))
  await answerOf(engines, 'hub/engines.ts')
  return engines
}

async function inMesh(bench: Bench, daemons: number): Promise<Spread> {
  const { workshop, progress } = bench
  progress.step(`starting ${daemons} daemons in a mesh`)
  const before = loopbackConnections()
  const all: RunningDaemon[] = []
  for (let n = 0; n < daemons; n++) {
    const one = await workshop.daemon(workshop.folder(), { open: true, ...(n > 0 && { name: `mesh-${n}` }) })
    for (const other of all) await connectWith(other, one)
    all.push(one)
  }
  const [writer, ...readers] = all as [RunningDaemon, ...RunningDaemon[]]
  await until(
    'every daemon has told every other',
    async () => (await Promise.all(all.map(hasToldAll))).every(Boolean),
    50,
  )
  const connections = loopbackConnections() - before
  return measured(bench, { writer, readers, engines: undefined, daemons, connections })
}

async function measured({ generator, progress, brevity }: Bench, team: Team): Promise<Spread> {
  const { writer, readers, engines, daemons, connections } = team
  const { projectId } = await callOnce<{ projectId: string }>(writer, createProject(1))
  const { contractId } = await callOnce<{ contractId: string }>(writer, proposeSmall(projectId, 0))
  const allHave = async (): Promise<void> => {
    const statements = await statementsOf(writer)
    const told = engines === undefined ? undefined : answerOf(engines, 'hub/engines.ts')
    engines?.send({ statements } satisfies Awaited)
    // One after the other: asking all at once would take the processors from what is measured.
    for (const one of readers) await until('a daemon has all', () => holdsAllOf(one, writer), 10)
    await told
  }
  const writeMany = async (): Promise<void> => {
    const calls = [propose(projectId, 1)]
    await load(generator, {
      server: writer,
      calls,
      connections: CONNECTIONS,
      expect: 'result',
      amount: { count: WRITES },
    })
    await allHave()
  }
  await allHave()
  progress.step(`warming up ${daemons} daemons`)
  await writeMany()

  progress.step(`one write to ${daemons} daemons`)
  const times: number[] = []
  for (let version = 1; version <= Math.ceil(ROUNDS / brevity); version++) {
    const wait = waitForVersion(projectId, contractId, version)
    const waits = readers.map((one) => callOnce<{ met: boolean }>(one, wait))
    // Answered after the waits, so those are there.
    await Promise.all(readers.map((one) => callOnce(one, listPeers())))
    const told = engines === undefined ? undefined : answerOf(engines, 'hub/engines.ts')
    engines?.send({ statements: (await statementsOf(writer)) + 1 } satisfies Awaited)
    const begin = performance.now()
    await callOnce(writer, updateSmall(projectId, contractId))
    const woken = await Promise.all(waits)
    await told
    times.push(performance.now() - begin)
    if (!woken.every(({ met }) => met)) throw new Error('A wait was not met')
  }

  progress.step(`${WRITES} writes to ${daemons} daemons`)
  const cpuBefore = readers.map(({ pid }) => cpuMs(pid))
  const bytesBefore = loopbackBytes()
  const begin = performance.now()
  await writeMany()
  const manyMs = performance.now() - begin
  const bytes = loopbackBytes() - bytesBefore
  const cpu = readers.map(({ pid }, index) => cpuMs(pid) - (cpuBefore[index] ?? 0))
  await Promise.all([writer, ...readers].map((one) => one.stop('SIGKILL')))
  engines?.kill('SIGKILL')
  return {
    daemons,
    oneMs: median(times),
    manyMs,
    cpuMsEach: median(cpu) / WRITES,
    bytesEach: bytes / daemons / WRITES,
    connectionsEach: connections / daemons,
  }
}

/** A daemon on a hub must not pay for how many others there are. */
const MOST_GROWTH = 1.2

function figuresOf(hub: readonly Spread[], mesh: readonly Spread[]): Figure[] {
  const base = hub.find(({ daemons }) => daemons === 10)
  const last = hub.at(-1)
  if (base === undefined || last === undefined) throw new TypeError('nothing was measured')
  return [
    ...hub.flatMap((one) => {
      const inMesh = mesh.find(({ daemons }) => daemons === one.daemons)
      const other = inMesh ?? base
      const name = inMesh === undefined ? `${base.daemons} on a hub` : `a full mesh of ${one.daemons}`
      const facts = { unit: 'ms', goal: null } as const
      return [
        figure({
          ...facts,
          name: `one write to all of ${one.daemons} daemons on a hub`,
          ours: one.oneMs,
          comparedWith: { name, value: other.oneMs },
          ratio: one.oneMs / other.oneMs,
          notes: [inWords(one), ...(inMesh === undefined ? [] : [`in the mesh ${inWords(inMesh)}`])],
        }),
        figure({
          ...facts,
          name: `${WRITES} writes to all of ${one.daemons} daemons on a hub`,
          ours: one.manyMs,
          comparedWith: { name, value: other.manyMs },
          ratio: one.manyMs / other.manyMs,
          notes: [],
        }),
      ]
    }),
    figure({
      name: `processor time of a daemon for a write of another, ${last.daemons} daemons on a hub ÷ ${base.daemons}`,
      unit: 'ms',
      ours: last.cpuMsEach,
      comparedWith: { name: `${base.daemons} on a hub`, value: base.cpuMsEach },
      ratio: last.cpuMsEach / base.cpuMsEach,
      goal: { of: 'ratio', most: MOST_GROWTH },
      notes: [
        `median of the daemons that only read; ${MOST_PROCESSES} are processes with disks, the others engines in one ` +
          'process over disks in memory',
      ],
    }),
  ]
}

const inWords = ({ connectionsEach, bytesEach, cpuMsEach }: Spread): string =>
  `for each daemon: ${connectionsEach.toFixed(1)} connections, ${bytesEach.toFixed(0)} bytes over loopback and ` +
  `${cpuMsEach.toFixed(2)} ms of processor time a write`
