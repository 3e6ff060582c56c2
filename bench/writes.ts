import { writeFile } from 'node:fs/promises'
import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { content, nameOf, propose } from './material.ts'
import { compare } from './rounds.ts'
import type { StockData } from './stock-server.ts'

const CONNECTIONS = 64
const PROJECTS = 20
const CONTRACTS = 10_000

/** Design §9, row 2: durable proposals, against a bare echo and against what people would write instead. */
export async function writes({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('cacp/contract/propose')
  const directory = workshop.folder()
  const { projectIds } = await workshop.fill({
    directory,
    projects: PROJECTS,
    contracts: CONTRACTS,
  })
  const daemon = await workshop.daemon(directory)
  const echo = await workshop.server('echo-server.ts')
  const stockFile = `${workshop.folder()}.json`
  await writeFile(stockFile, JSON.stringify(stockData(projectIds)))
  const stock = await workshop.server('stock-server.ts', stockFile)

  const calls = projectIds.map(propose)
  const amount = { ms: 1200 / brevity }
  const warmUp = { amount: { ms: 2500 / brevity } }
  const plan = { generator, progress, connections: CONNECTIONS }
  const fast = await compare(
    { ...plan, rounds: Math.ceil(9 / brevity) },
    {
      cacpd: { server: daemon, calls, expect: 'result', amount, warmUp },
      echo: { server: echo, calls, expect: 'echo', amount, warmUp },
    },
  )
  const slow = await compare(
    { ...plan, rounds: brevity > 1 ? 1 : 3 },
    {
      cacpd: { server: daemon, calls, expect: 'result', amount, warmUp: { amount: { count: CONNECTIONS } } },
      stock: {
        server: stock,
        calls,
        expect: 'result',
        amount: { count: 4 * CONNECTIONS },
        warmUp: { amount: { count: CONNECTIONS } },
      },
    },
  )
  await Promise.all([daemon.stop(), echo.stop(), stock.stop()])

  const bytes = `our answer has ${fast.cacpd.answerBytes} bytes, the echo's ${fast.echo.answerBytes}`
  return [
    figure({
      name: 'durable contract/propose ÷ echo',
      unit: 'requests/s',
      ours: fast.cacpd.perSecond,
      comparedWith: { name: 'bare echo', value: fast.echo.perSecond },
      ratio: fast.cacpd.perSecond / fast.echo.perSecond,
      goal: { of: 'ratio', least: 0.3 },
      notes: [
        `${CONNECTIONS} connections over ${PROJECTS} projects, ${CONTRACTS} contracts before; p50 ` +
          `${fast.cacpd.p50Ms.toFixed(1)} ms, p99 ${fast.cacpd.p99Ms.toFixed(1)} ms; ${bytes}`,
      ],
    }),
    figure({
      name: `durable contract/propose ÷ express + lowdb at ${CONTRACTS} contracts`,
      unit: 'requests/s',
      ours: slow.cacpd.perSecond,
      comparedWith: { name: 'express + lowdb', value: slow.stock.perSecond },
      ratio: slow.cacpd.perSecond / slow.stock.perSecond,
      goal: { of: 'ratio', least: 20 },
      notes: [`${CONNECTIONS} connections; ours is synced to disk before it answers, the other one never`],
    }),
  ]
}

function stockData(projectIds: readonly string[]): StockData {
  const numbers = Array.from({ length: CONTRACTS }, (_, number) => number)
  return {
    projects: projectIds.map((project_id, index) => ({
      project_id,
      name: `Feature ${index + 1}`,
      contracts: numbers
        .filter((number) => number % projectIds.length === index)
        .map((number) => ({
          contract_id: crypto.randomUUID(),
          type: 'api_endpoint',
          name: nameOf(number),
          version: 1,
          status: 'proposed',
          content: content(number),
          created_at: new Date().toISOString(),
        })),
    })),
  }
}
