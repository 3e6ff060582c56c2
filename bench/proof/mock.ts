import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { getProject } from '../material.ts'
import { compare } from '../rounds.ts'

const CONNECTIONS = 32
const CALLS = [getProject('f0ebc7e6-3b58-4d02-abb1-b63e1e0ba7ac')]

/** A mock, which compares every request with a contract, against a bare echo of the same request. */
export async function mock({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('mock')
  const server = await workshop.server('proof/mock-server.ts')
  const echo = await workshop.server('echo-server.ts')
  const amount = { ms: 1200 / brevity }
  const common = { calls: CALLS, amount, warmUp: { amount: { ms: 2500 / brevity } } }
  const loads = await compare(
    { generator, progress, connections: CONNECTIONS, rounds: Math.ceil(9 / brevity) },
    {
      mock: { server, expect: 'result', ...common },
      echo: { server: echo, expect: 'echo', ...common },
    },
  )
  await Promise.all([server.stop(), echo.stop()])
  return [
    figure({
      name: 'mock ÷ echo',
      unit: 'requests/s',
      ours: loads.mock.perSecond,
      comparedWith: { name: 'bare echo', value: loads.echo.perSecond },
      ratio: loads.mock.perSecond / loads.echo.perSecond,
      goal: { of: 'ratio', least: 0.3 },
      notes: [
        `${CONNECTIONS} connections; each request has a body that is compared with the contract; p50 ` +
          `${loads.mock.p50Ms.toFixed(1)} ms, the echo's ${loads.echo.p50Ms.toFixed(1)} ms`,
      ],
    }),
  ]
}
