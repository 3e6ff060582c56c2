import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { archive, createMinimalProject, propose } from './material.ts'
import { compare } from './rounds.ts'

const CONNECTIONS = 32
const PROJECTS = 20
const FEW = 1000
const MANY = 100_000

/**
 * Design §9, row 3: a write costs the same however much is stored. The rounds are short, so that the small
 * store stays small, and both daemons warm up with writes that add nothing.
 */
export async function growth({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('cost of a write in a large store')
  const perRound = 8 * CONNECTIONS
  const rounds = Math.ceil(16 / brevity)
  const contestant = async (contracts: number) => {
    const directory = workshop.folder()
    progress.step(`filling a store with ${contracts} contracts`)
    const { projectIds, ...filled } = await workshop.fill({ directory, projects: PROJECTS, contracts })
    const server = await workshop.daemon(directory)
    const { projectId } = await callOnce<{ projectId: string }>(server, createMinimalProject())
    return {
      filled,
      server,
      calls: projectIds.map(propose),
      expect: 'result' as const,
      amount: { count: perRound },
      warmUp: {
        calls: [archive(projectId, true), archive(projectId, false)],
        amount: { ms: 2500 / brevity },
      },
    }
  }
  const few = await contestant(FEW)
  const many = await contestant(MANY)
  const loads = await compare({ generator, progress, connections: CONNECTIONS, rounds }, { few, many })
  await Promise.all([few.server.stop(), many.server.stop()])

  const cost = ({ seconds, count }: { seconds: number; count: number }) => (seconds * 1000) / count
  return [
    figure({
      name: `cost of a propose at ${MANY} contracts ÷ at ${FEW}`,
      unit: 'ms',
      ours: cost(loads.many),
      comparedWith: { name: `at ${FEW} contracts`, value: cost(loads.few) },
      ratio: cost(loads.many) / cost(loads.few),
      goal: { of: 'ratio', most: 1.3 },
      notes: [
        `${CONNECTIONS} connections over ${PROJECTS} projects; wall time per write with all of them busy; ` +
          `${many.filled.bytesEach} bytes per statement; each store grows by ${rounds * perRound} meanwhile`,
      ],
    }),
  ]
}
