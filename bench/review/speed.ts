import { reviewPair } from '../../src/domain/interface/review.ts'
import type { JsonObject } from '../../src/protocol/json/json.ts'
import type { Bench } from '../bench.ts'
import { type Figure, figure } from '../figure.ts'
import { median } from '../rounds.ts'
import { answerOf } from '../workshop.ts'
import { HOSTILE } from './hostile.ts'
import type { HostileReview } from './hostile-judge.ts'
import { documentOf, httpContract } from './large.ts'

/** That judge one hostile pair, each that one alone; the median of them counts. */
const PROCESSES = 3

/** How long a review takes: of what people write, of whole documents, and of what is made to take long. */
export async function reviewSpeed({ workshop, progress, brevity }: Bench): Promise<Figure[]> {
  progress.begin('speed of reviews')
  const figures = [
    warm('review of two HTTP contracts of 4 kB', 1, {
      make: (isChanged) => httpContract(isChanged),
      rounds: Math.ceil(400 / brevity),
    }),
    warm('review of two OpenAPI documents of 100 kB', 50, {
      make: (isChanged) => documentOf(isChanged),
      rounds: Math.ceil(40 / brevity),
    }),
  ]
  const reviews: (HostileReview & { name: string })[] = []
  for (const [index, { name }] of HOSTILE.entries()) {
    if (index % brevity !== 0) continue
    progress.step(name)
    const runs: HostileReview[] = []
    for (let run = 0; run < Math.ceil(PROCESSES / brevity); run++) {
      const child = workshop.forkBundled('review/hostile-judge.ts', String(index))
      runs.push(await answerOf<HostileReview>(child, 'hostile-judge.ts'))
      child.kill()
    }
    const firstMs = median(runs.map((run) => run.firstMs))
    const laterMs = median(runs.map((run) => run.laterMs))
    reviews.push({ name, firstMs, laterMs, bytes: runs[0]?.bytes ?? 0 })
  }
  const worst = `worst of ${reviews.length} hostile pairs`
  figures.push(
    worstOf(
      `${worst}, each as the first thing that a process does`,
      reviews.map((review) => ({ ...review, ms: review.firstMs })),
    ),
    worstOf(
      `${worst}, in a process that has judged before`,
      reviews.map((review) => ({ ...review, ms: review.laterMs })),
    ),
  )
  return figures
}

interface Timed {
  readonly name: string
  readonly ms: number
  readonly bytes: number
}

function worstOf(name: string, reviews: readonly Timed[]): Figure {
  const byTime = reviews.toSorted((a, b) => b.ms - a.ms)
  const ours = byTime[0]?.ms ?? Number.NaN
  const middle = median(reviews.map(({ ms }) => ms))
  return figure({
    name,
    unit: 'ms',
    ours,
    comparedWith: { name: 'the median of them', value: middle },
    ratio: ours / middle,
    goal: { of: 'ours', most: 50 },
    notes: byTime.slice(0, 3).map(({ name, ms, bytes }) => `${name}: ${ms.toFixed(0)} ms, ${bytes} bytes`),
  })
}

interface Measured {
  make(isChanged: boolean): JsonObject
  rounds: number
}

/** Contents are parsed anew each time: what was judged once is not judged again. */
function warm(name: string, most: number, { make, rounds }: Measured): Figure {
  const texts = [JSON.stringify(make(false)), JSON.stringify(make(true))] as const
  const [parsing, judging]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds * 2; round++) {
    const began = performance.now()
    const [before, after] = texts.map((text) => JSON.parse(text) as JsonObject)
    const parsed = performance.now()
    reviewPair('api_endpoint', before ?? {}, after ?? {})
    const judged = performance.now()
    if (round < rounds) continue
    parsing.push(parsed - began)
    judging.push(judged - parsed)
  }
  return figure({
    name,
    unit: 'ms',
    ours: median(judging),
    comparedWith: { name: 'JSON.parse of both', value: median(parsing) },
    ratio: median(judging) / median(parsing),
    goal: { of: 'ours', most },
    notes: [`${texts[0].length} bytes each, warm, median of ${rounds}`],
  })
}
