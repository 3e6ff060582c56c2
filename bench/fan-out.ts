import type { Bench } from './bench.ts'
import { cpuMs } from './cpu.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { createProject, propose } from './material.ts'
import { connectWith, hasToldAll, until } from './mesh.ts'
import { load, median } from './rounds.ts'
import type { RunningDaemon } from './workshop.ts'

const PEERS = [0, 1, 4, 16]
/** By how many peers: what a write may cost, compared with none. */
const MOST: Readonly<Record<number, number>> = { 1: 1.2, 4: 1.4, 16: 2 }
const CONNECTIONS = 16
/** Rounds until the code is compiled: a daemon runs for days, and at first compiling costs more than the writes. */
const WARM_UP = 8
const PROJECTS = 8

/**
 * What a write costs the daemon that is called, depending on how many peers get it: its processor time, from
 * the first write of a round until all peers have all of them. (Wall time would tell how the machine shares
 * its cores between the daemons.)
 */
export async function fanOut({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('cost of a write with peers')
  const rounds = Math.ceil(5 / brevity)
  const warmUp = Math.ceil(WARM_UP / brevity)
  const perRound = 24 * CONNECTIONS
  const contestants: { peers: number; a: RunningDaemon; projectIds: string[]; others: RunningDaemon[] }[] = []
  for (const peers of PEERS) {
    progress.step(`starting one with ${peers} peers`)
    const a = await workshop.daemon(workshop.folder(), { open: true })
    const projectIds: string[] = []
    for (let number = 1; number <= PROJECTS; number++)
      projectIds.push((await callOnce<{ projectId: string }>(a, createProject(number))).projectId)
    const others: RunningDaemon[] = []
    for (let n = 1; n <= peers; n++) {
      const other = await workshop.daemon(workshop.folder(), { name: `fan-${peers}-${n}`, open: true })
      await connectWith(a, other)
      others.push(other)
    }
    contestants.push({ peers, a, projectIds, others })
  }

  const cpu = new Map<number, number[]>(PEERS.map((peers) => [peers, []]))
  const p50 = new Map<number, number[]>(PEERS.map((peers) => [peers, []]))
  for (let round = 1 - warmUp; round <= rounds; round++) {
    progress.step(round < 1 ? 'warming up' : `round ${round} of ${rounds}`)
    for (const { peers, a, projectIds } of contestants) {
      const before = cpuMs(a.pid)
      const { p50Ms } = await load(generator, {
        server: a,
        calls: projectIds.map(propose),
        connections: CONNECTIONS,
        expect: 'result',
        amount: { count: perRound },
      })
      await until('all peers have all', () => hasToldAll(a), 50)
      if (round < 1) continue
      cpu.get(peers)?.push((cpuMs(a.pid) - before) / perRound)
      p50.get(peers)?.push(p50Ms)
    }
  }
  await Promise.all(
    contestants.flatMap(({ a, others }) => [a, ...others]).map((daemon) => daemon.stop('SIGKILL')),
  )

  const costOf = (peers: number) => median(cpu.get(peers) ?? [])
  const p50Of = (peers: number) => median(p50.get(peers) ?? []).toFixed(1)
  return PEERS.filter((peers) => peers > 0).map((peers) =>
    figure({
      name: `cost of a propose with ${peers} peer${peers === 1 ? '' : 's'} ÷ with none`,
      unit: 'ms',
      ours: costOf(peers),
      comparedWith: { name: 'without peers', value: costOf(0) },
      ratio: costOf(peers) / costOf(0),
      goal: { of: 'ratio', most: MOST[peers] ?? 1 },
      notes: [
        `processor time of the called daemon per write, until all peers have it; ${CONNECTIONS} connections, ` +
          `${perRound} writes a round after ${warmUp} rounds to warm up; p50 of the answer ${p50Of(peers)} ms, without peers ${p50Of(0)} ms, while ` +
          `${peers} peers share the machine`,
      ],
    }),
  )
}
