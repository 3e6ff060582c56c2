import type { Bench } from './bench.ts'
import { type Figure, figure } from './figure.ts'
import { callOnce } from './http-request.ts'
import { FEW, MANY, openReader } from './inbox.ts'
import { getBrief, searchFor } from './material.ts'
import { compare } from './rounds.ts'
import type { Running } from './workshop.ts'

const CONNECTIONS = 8
/** Changes since the brief before. */
const SINCE = 20
/** With a typing error, and a word that is in nearly everything. */
const QUERY = 'profle 4711'
const SEARCHES = 9

/** An agent is briefed as fast on a large store, also where all that is in there waits for it. */
export async function brief({ workshop, generator, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('brief and search in a large store')
  const contestant = async (contracts: number) => {
    const server = await openReader({ workshop, progress }, contracts)
    const { cursor } = await callOnce<{ cursor: string }>(server, getBrief())
    const [store = '', seq = ''] = cursor.split('.')
    const since = getBrief(`${store}.${Number(seq) - SINCE}`)
    const { text } = await callOnce<{ text: string }>(server, since)
    if (!text.includes('You block others')) throw new Error(`the brief says nothing: ${text}`)
    return {
      server,
      calls: [since],
      expect: 'result' as const,
      amount: { count: 20 * CONNECTIONS },
      warmUp: { amount: { ms: 2500 / brevity } },
    }
  }
  const few = await contestant(FEW)
  const many = await contestant(MANY)
  const rounds = Math.ceil(16 / brevity)
  const loads = await compare({ generator, progress, connections: CONNECTIONS, rounds }, { few, many })
  progress.step('searching')
  const [fewFound, manyFound] = [await search(few.server), await search(many.server)]
  await Promise.all([few.server.stop(), many.server.stop()])

  const cost = ({ seconds, count }: { seconds: number; count: number }) => (seconds * 1000) / count
  return [
    figure({
      name: `cost of a brief at ${MANY} contracts ÷ at ${FEW}`,
      unit: 'ms',
      ours: cost(loads.many),
      comparedWith: { name: `at ${FEW} contracts`, value: cost(loads.few) },
      ratio: cost(loads.many) / cost(loads.few),
      goal: { of: 'ratio', most: 3 },
      notes: [
        `since ${SINCE} changes ago, with 1500 tokens; nearly every entity waits for the reader; wall time per brief with ` +
          `${CONNECTIONS} connections busy`,
      ],
    }),
    figure({
      name: `a search at ${MANY} contracts ÷ at ${FEW}`,
      unit: 'ms',
      ours: manyFound.ms,
      comparedWith: { name: `at ${FEW} contracts`, value: fewFound.ms },
      ratio: manyFound.ms / fewFound.ms,
      goal: null,
      notes: [
        `“${QUERY}”, of which one word is in nearly every entity: ${manyFound.total} and ${fewFound.total} hits; one at a ` +
          `time; the first search of a life, which reads all there is, took ${Math.round(manyFound.firstMs)} ms and ` +
          `${Math.round(fewFound.firstMs)} ms`,
      ],
    }),
  ]
}

async function search(server: Running): Promise<{ ms: number; firstMs: number; total: number }> {
  const times: number[] = []
  let total = 0
  for (let round = 0; round <= SEARCHES; round++) {
    const begin = performance.now()
    ;({ total } = await callOnce<{ total: number }>(server, searchFor(QUERY)))
    times.push(performance.now() - begin)
  }
  const [firstMs = 0, ...later] = times
  later.sort((a, b) => a - b)
  return { firstMs, ms: later[Math.floor(later.length / 2)] ?? 0, total }
}
