import type { ChildProcess } from 'node:child_process'
import { httpRequest } from './http-request.ts'
import type { Job, Load } from './load.ts'
import type { Call } from './material.ts'
import type { Progress } from './progress.ts'
import { answerOf, type Running } from './workshop.ts'

/** One of several things that are compared under the same load. */
export interface Contestant {
  name: string
  server: Running
  calls: Call[]
  expect: Job['expect']
  /** Per round: for how long, or how many requests. */
  amount: { ms: number } | { count: number }
  /** Before the first round, so that what is measured is compiled. */
  warmUp: { calls?: Call[]; amount: { ms: number } | { count: number } }
}

export interface Plan {
  generator: ChildProcess
  progress: Progress
  connections: number
  rounds: number
}

/** Loads the contestants in turn, A B C A B C …, so that whatever else the machine does hits all alike. */
export async function compare<Name extends string>(
  { generator, progress, connections, rounds }: Plan,
  contestants: Record<Name, Omit<Contestant, 'name'>>,
): Promise<Record<Name, Load>> {
  const entries = Object.entries(contestants) as [Name, Omit<Contestant, 'name'>][]
  const loads = new Map<Name, Load[]>(entries.map(([name]) => [name, []]))

  for (const [name, contestant] of entries) {
    progress.step(`warming up ${name}`)
    await load(generator, { connections, ...contestant, ...contestant.warmUp })
  }
  for (let round = 1; round <= rounds; round++) {
    progress.step(`round ${round} of ${rounds}`)
    for (const [name, contestant] of entries)
      loads.get(name)?.push(await load(generator, { connections, ...contestant }))
  }
  return Object.fromEntries(entries.map(([name]) => [name, middle(loads.get(name) ?? [])])) as Record<
    Name,
    Load
  >
}

/** One load on one server. */
export function load(
  generator: ChildProcess,
  {
    server,
    calls,
    expect,
    connections,
    amount,
  }: Omit<Contestant, 'name' | 'warmUp'> & { connections: number },
): Promise<Load> {
  return run(generator, {
    port: server.port,
    connections,
    requests: calls.map((call) => httpRequest(call, server.key)),
    expect,
    ...amount,
  })
}

async function run(generator: ChildProcess, job: Job): Promise<Load> {
  generator.send(job)
  const answer = await answerOf<{ load: Load } | { error: string }>(generator, 'load.ts')
  if ('error' in answer) throw new Error(answer.error)
  return answer.load
}

/** The median of each number by itself. */
function middle(loads: readonly Load[]): Load {
  const of = (key: keyof Load) => median(loads.map((load) => load[key]))
  return {
    count: of('count'),
    seconds: of('seconds'),
    perSecond: of('perSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
    answerBytes: of('answerBytes'),
  }
}

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? Number.NaN
}
