import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { content, propose, proposeUnread } from '../material.ts'
import { compare } from '../rounds.ts'

const CONNECTIONS = 64
const PROJECTS = 20

/** What reviews cost a durable proposal: the same bytes in a form that is read, and under keys that nobody knows. */
export async function reviewCost({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('cost of reviews in cacp/contract/propose')
  const directory = workshop.folder()
  const { projectIds } = await workshop.fill({ directory, projects: PROJECTS, contracts: 1000 })
  const daemon = await workshop.daemon(directory)
  const load = { server: daemon, expect: 'result' as const, amount: { ms: 1200 / brevity } }
  const warmUp = { amount: { ms: 2500 / brevity } }
  const { read, unread } = await compare(
    { generator, progress, connections: CONNECTIONS, rounds: Math.ceil(15 / brevity) },
    {
      read: { ...load, calls: projectIds.map(propose), warmUp },
      unread: { ...load, calls: projectIds.map(proposeUnread), warmUp },
    },
  )
  await daemon.stop()
  return [
    figure({
      name: 'durable contract/propose with a review ÷ of content that is not understood',
      unit: 'requests/s',
      ours: read.perSecond,
      comparedWith: { name: 'not understood', value: unread.perSecond },
      ratio: read.perSecond / unread.perSecond,
      goal: { of: 'ratio', least: 0.95 },
      notes: [
        `${CONNECTIONS} connections, ${JSON.stringify(content(0)).length} bytes of content; answers have ` +
          `${read.answerBytes} and ${unread.answerBytes} bytes`,
      ],
    }),
  ]
}
