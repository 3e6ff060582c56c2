import type { Bench } from './bench.ts'
import type { Crowd, CrowdJob } from './crowd-load.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { createProject, proposeSmall } from './material.ts'
import { startWaits, waitForVersion } from './waits.ts'
import { answerOf, type Running } from './workshop.ts'

const PROJECTS = 20
const READERS = 500
const WAITS = 500
const PER_SECOND = 200

/** What a write takes while many follow the changes and many wait for something else. */
export async function crowd({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin(`${PER_SECOND} writes/s beside ${READERS} readers of events and ${WAITS} waits`)
  const env = { CACP_FEED_READERS: String(READERS), CACP_MAX_CONNECTIONS: '5000' }
  const daemon = await workshop.daemon(workshop.folder(), { env })
  const bare = await workshop.server('broadcast-server.ts')
  const projectIds: string[] = []
  for (let number = 1; number <= PROJECTS; number++)
    projectIds.push((await callOnce<{ projectId: string }>(daemon, createProject(number))).projectId)
  const [first = ''] = projectIds
  const { contractId } = await callOnce<{ contractId: string }>(daemon, proposeSmall(first, 1))

  const load = workshop.fork('crowd-load.ts')
  const measure = async ({ port, key }: Running, ms: number): Promise<Crowd> => {
    load.send({ port, key, projectIds, readers: READERS, perSecond: PER_SECOND, ms } satisfies CrowdJob)
    const answer = await answerOf<{ crowd: Crowd } | { error: string }>(load, 'crowd-load.ts')
    if ('error' in answer) throw new Error(answer.error)
    return answer.crowd
  }
  progress.step('warming up')
  await measure(bare, 4000 / brevity)
  await measure(daemon, 4000 / brevity)
  progress.step('measuring')
  const waiting = startWaits(daemon, waitForVersion(first, contractId, 1), WAITS)
  const ours = await measure(daemon, 20_000 / brevity)
  const theirs = await measure(bare, 20_000 / brevity)
  load.kill()
  await Promise.all([daemon.stop(), bare.stop()])
  await waiting.catch(() => 0)

  const about = ({ writes, arrivals, reached, delivered }: Crowd) =>
    `${reached.toFixed(0)} writes/s, p99 ${at(writes, 0.99).toFixed(0)} ms, an event at a reader after p50 ` +
    `${at(arrivals, 0.5).toFixed(0)}, p99 ${at(arrivals, 0.99).toFixed(0)} ms, ${(100 * delivered).toFixed(1)} % of the events arrived`
  return [
    figure({
      name: `a write at ${PER_SECOND}/s beside ${READERS} readers and ${WAITS} waits, p50 ÷ bare broadcast`,
      unit: 'ms',
      ours: at(ours.writes, 0.5),
      comparedWith: { name: 'bare broadcast, p50', value: at(theirs.writes, 0.5) },
      ratio: at(ours.writes, 0.5) / at(theirs.writes, 0.5),
      goal: { of: 'ours', most: 100 },
      notes: [`ours: ${about(ours)}`, `bare node:http, in memory, without waits: ${about(theirs)}`],
    }),
  ]
}

function at(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
