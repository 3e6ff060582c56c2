import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { getProject } from '../material.ts'
import { compare } from '../rounds.ts'

const CALLS = [getProject('f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac')]

/** What a proxy adds that judges every exchange: a server asked directly, and through it. */
export async function proxy({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('proxy')
  const echo = await workshop.server('echo-server.ts')
  const before = await workshop.server('proof/proxy-server.ts', String(echo.port))
  const amount = { ms: 1200 / brevity }
  const common = { calls: CALLS, expect: 'echo', amount, warmUp: { amount: { ms: 2500 / brevity } } } as const
  const loads = await compare(
    { generator, progress, connections: 1, rounds: Math.ceil(9 / brevity) },
    { through: { server: before, ...common }, direct: { server: echo, ...common } },
  )
  await Promise.all([before.stop(), echo.stop()])
  return [
    figure({
      name: 'what the proxy adds to a request (p50)',
      unit: 'ms',
      ours: loads.through.p50Ms - loads.direct.p50Ms,
      comparedWith: { name: 'the request without it', value: loads.direct.p50Ms },
      ratio: loads.through.p50Ms / loads.direct.p50Ms,
      goal: { of: 'ours', most: 2 },
      notes: [
        'one connection, one request after the other; request and answer are judged against a contract',
      ],
    }),
  ]
}
