import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { type Call, createProject, listPeers, proposeSmall, updateSmall } from './material.ts'
import { connectWith, hasToldAll, holds, until } from './mesh.ts'
import type { Running } from './workshop.ts'

/** Few: every version of a contract makes the next one larger. */
const ROUNDS = 60
const WAITS = 1000
/** As many as one call may have in a batch. */
const PER_BATCH = 50

export const waitForVersion = (projectId: string, contractId: string, version: number): Call => ({
  method: 'cacp/wait',
  params: { until: { contract: { projectId, contractId, versionAbove: version } }, timeoutSeconds: 60 },
})

/** How long after a write at one daemon a wait at another one returns, and what a thousand waits cost all others. */
export async function waits({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('waits')
  const a = await workshop.daemon(workshop.folder(), { open: true })
  const b = await workshop.daemon(workshop.folder(), { name: 'wait-b', open: true })
  const echo = await workshop.server('echo-server.ts')
  const { projectId } = await callOnce<{ projectId: string }>(a, createProject(1))
  const { contractId } = await callOnce<{ contractId: string }>(a, proposeSmall(projectId, 1))
  await connectWith(a, b)
  await until('both are equal', () => hasToldAll(a), 20)
  await until('the contract is there', () => holds(b, projectId, contractId), 20)

  const rounds = Math.ceil(ROUNDS / brevity)
  const wakeUps: number[] = []
  let version = 1
  for (let round = 0; round < rounds; round++) {
    const woken = callOnce<{ met: boolean }>(b, waitForVersion(projectId, contractId, version))
    // One that came before it has been answered, so the wait is there.
    await callOnce(b, listPeers())
    const begin = performance.now()
    await callOnce(a, updateSmall(projectId, contractId))
    if (!(await woken).met) throw new Error('The wait was not met')
    wakeUps.push(performance.now() - begin)
    version++
  }
  const echoes = await timesOf(rounds, () => callOnce(echo, listPeers()).catch(() => undefined))

  progress.step(`${WAITS} waits`)
  // Every measured call is a write that none of them is about.
  let number = 2
  const write = () => callOnce(a, proposeSmall(projectId, number++))
  await timesOf(rounds, write)
  const without = await timesOf(rounds * 10, write)
  const waiting = startWaits(a, waitForVersion(projectId, contractId, version))
  await callOnce(a, listPeers())
  const withThem = await timesOf(rounds * 10, write)
  await callOnce(a, updateSmall(projectId, contractId))
  const met = await waiting
  await Promise.all([a.stop(), b.stop(), echo.stop()])

  return [
    figure({
      name: 'wait wake-up over two daemons, p50 ÷ round trip',
      unit: 'ms',
      ours: at(wakeUps, 0.5),
      comparedWith: { name: 'bare echo, p50', value: at(echoes, 0.5) },
      ratio: at(wakeUps, 0.5) / at(echoes, 0.5),
      goal: null,
      notes: [
        `${rounds} rounds, p99 ${at(wakeUps, 0.99).toFixed(1)} ms; from sending the write at A until the wait at B has ` +
          'returned: two durable writes and three round trips',
      ],
    }),
    figure({
      name: `a write beside ${WAITS} waits, p99 ÷ without them`,
      unit: 'ms',
      ours: at(withThem, 0.99),
      comparedWith: { name: 'without', value: at(without, 0.99) },
      ratio: at(withThem, 0.99) / at(without, 0.99),
      goal: { of: 'ratio', most: 1.5 },
      notes: [
        `p50 ${at(withThem, 0.5).toFixed(2)} and ${at(without, 0.5).toFixed(2)} ms; ${met} waits were met by one write`,
      ],
    }),
  ]
}

/** Answers how many were met. */
export async function startWaits(
  { port, key }: Running,
  { method, params }: Call,
  waits = WAITS,
): Promise<number> {
  const batches = Array.from({ length: waits / PER_BATCH }, async () => {
    const body = Array.from({ length: PER_BATCH }, (_, id) => ({ jsonrpc: '2.0', id, method, params }))
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const answers = (await answer.json()) as { result?: { met: boolean } }[]
    return answers.filter(({ result }) => result?.met === true).length
  })
  return (await Promise.all(batches)).reduce((sum, met) => sum + met, 0)
}

async function timesOf(count: number, call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  for (let done = 0; done < count; done++) {
    const begin = performance.now()
    await call()
    times.push(performance.now() - begin)
  }
  return times
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
