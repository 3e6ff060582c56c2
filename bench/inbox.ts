import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { joinAs, listInbox } from './material.ts'
import { compare } from './rounds.ts'
import type { Running } from './workshop.ts'

const CONNECTIONS = 8
const PROJECTS = 20
export const FEW = 1000
export const MANY = 100_000
/** The other side of all that the store is filled with. */
const READER = 'frontend-app'

/** The daemon of a repository that everything in a store of this size waits for. */
export async function openReader(
  { workshop, progress }: Pick<Bench, 'workshop' | 'progress'>,
  contracts: number,
): Promise<Running> {
  const directory = workshop.folder()
  progress.step(`filling a store with ${contracts} contracts`)
  const { projectIds } = await workshop.fill({ directory, projects: PROJECTS, contracts })
  const server = await workshop.daemon(directory, { name: READER })
  for (const projectId of projectIds) await callOnce(server, joinAs(projectId, READER))
  return server
}

/** What a repository has to do is listed as fast in a large store, also where all that is in there is to be done. */
export async function inbox({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('inbox of a large store')
  const contestant = async (contracts: number) => {
    const server = await openReader({ workshop, progress }, contracts)
    const begin = performance.now()
    const { count } = await callOnce<{ count: number }>(server, listInbox())
    const firstMs = performance.now() - begin
    if (count < contracts * 0.9) throw new Error(`only ${count} of ${contracts} contracts are to be done`)
    return {
      count,
      firstMs,
      server,
      calls: [listInbox()],
      expect: 'result' as const,
      amount: { count: 40 * CONNECTIONS },
      warmUp: { amount: { ms: 2500 / brevity } },
    }
  }
  const few = await contestant(FEW)
  const many = await contestant(MANY)
  const rounds = Math.ceil(16 / brevity)
  const loads = await compare({ generator, progress, connections: CONNECTIONS, rounds }, { few, many })
  await Promise.all([few.server.stop(), many.server.stop()])

  const cost = ({ seconds, count }: { seconds: number; count: number }) => (seconds * 1000) / count
  return [
    figure({
      name: `cost of an inbox at ${MANY} contracts ÷ at ${FEW}`,
      unit: 'ms',
      ours: cost(loads.many),
      comparedWith: { name: `at ${FEW} contracts`, value: cost(loads.few) },
      ratio: cost(loads.many) / cost(loads.few),
      goal: { of: 'ratio', most: 3 },
      notes: [
        `the first 50 of ${many.count} and of ${few.count} items over ${PROJECTS} projects; wall time per read with ` +
          `${CONNECTIONS} connections busy; the very first read of a life, which looks at all there is, took ` +
          `${Math.round(many.firstMs)} ms and ${Math.round(few.firstMs)} ms`,
      ],
    }),
  ]
}
