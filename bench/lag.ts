import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import type { Lag, LagJob } from './lag-load.ts'
import { createProject } from './material.ts'
import { connectWith, hasToldAll, until } from './mesh.ts'
import { answerOf } from './workshop.ts'

const PROJECTS = 20
const PER_SECOND = 500
const FOLLOW_EVERY = 10
/** Of the pace: where less was reached, the times say nothing about that pace. */
const LEAST_REACHED = 0.95

/** How long after its answer a write at one daemon can be read at another. */
export async function lag({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`replication lag at ${PER_SECOND} writes/s`)
  const a = await workshop.daemon(workshop.folder(), { open: true })
  const b = await workshop.daemon(workshop.folder(), { name: 'lag-b', open: true })
  const echo = await workshop.server('echo-server.ts')
  const projectIds: string[] = []
  for (let number = 1; number <= PROJECTS; number++)
    projectIds.push((await callOnce<{ projectId: string }>(a, createProject(number))).projectId)
  await connectWith(a, b)
  await until('both are equal', () => hasToldAll(a), 20)

  const load = workshop.fork('lag-load.ts')
  const measure = async (ms: number): Promise<Lag> => {
    load.send({
      from: { port: a.port, key: a.key },
      to: { port: b.port, key: b.key },
      echoPort: echo.port,
      projectIds,
      perSecond: PER_SECOND,
      followEvery: FOLLOW_EVERY,
      ms,
    } satisfies LagJob)
    const answer = await answerOf<{ lag: Lag } | { error: string }>(load, 'lag-load.ts')
    if ('error' in answer) throw new Error(answer.error)
    return answer.lag
  }
  progress.step('warming up')
  await measure(4000 / brevity)
  progress.step('measuring')
  const { lags, writes, echoes, reads, reached } = await measure(32_000 / brevity)
  load.kill()
  await Promise.all([a.stop(), b.stop(), echo.stop()])

  const beyondWrite = at(lags, 0.5) - at(writes, 0.5)
  // Where writes queue at A they take longer than to be written and told: then they are no yardstick for B.
  const isMeasured = reached >= LEAST_REACHED * PER_SECOND && beyondWrite > 0
  const roundTrip = at(echoes, 0.5)
  const ms = (times: readonly number[], share: number) => at(times, share).toFixed(1)
  const against = (
    name: string,
    value: number,
    comparedWith: Figure['comparedWith'] & { most: number },
    notes: string[],
  ) =>
    figure({
      name: `replication lag at ${PER_SECOND} writes/s, ${name} ÷ ${comparedWith.name}`,
      unit: 'ms',
      ours: value,
      comparedWith: { name: comparedWith.name, value: comparedWith.value },
      // Not a number is never within a goal.
      ratio: isMeasured ? value / comparedWith.value : Number.NaN,
      goal: { of: 'ratio', most: comparedWith.most },
      notes,
    })
  const writesOwn = { name: 'durable write, p99', value: at(writes, 0.99), most: 2 }
  return [
    against('p50 beyond a durable write', beyondWrite, { name: 'round trip', value: roundTrip, most: 3 }, [
      `${lags.length} of ${writes.length} writes followed, ${reached.toFixed(0)} writes/s reached; p50 ${ms(lags, 0.5)} ms ` +
        'from the answer at A until the answer of the first read at B that finds it, so one read round trip is part ' +
        'of it; B answers for what is on its disk, so a durable write, as it is at A, is taken off',
    ]),
    against('p99', at(lags, 0.99), writesOwn, [
      `under the same load: echo p50 ${ms(echoes, 0.5)}, p99 ${ms(echoes, 0.99)} ms; read at B p50 ` +
        `${ms(reads, 0.5)}, p99 ${ms(reads, 0.99)} ms; durable write at A p50 ${ms(writes, 0.5)}, p99 ${ms(writes, 0.99)} ms`,
    ]),
  ]
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
