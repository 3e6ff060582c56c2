import { reviewPair } from '../../src/domain/interface/review.ts'
import type { Json } from '../../src/protocol/json/json.ts'
import { endWithParent, tell } from '../child.ts'
import { median } from '../rounds.ts'
import { HOSTILE } from './hostile.ts'

/** One hostile pair, judged as the first thing that a process does, and once the process has done it often. */
export interface HostileReview {
  readonly firstMs: number
  readonly laterMs: number
  readonly bytes: number
}

const WARMING = 10
const MEASURED = 5

endWithParent()
const make = () => HOSTILE[Number(process.argv[2])]?.make() ?? [null, null]
const [before] = make()
const [firstMs = Number.NaN, ...more] = Array.from({ length: 1 + WARMING + MEASURED }, judgeAnew)
tell({ firstMs, laterMs: median(more.slice(WARMING)), bytes: bytesOf(before) } satisfies HostileReview)

/** Contents are made anew each time: what was judged once is not judged again. */
function judgeAnew(): number {
  const [before, after] = make()
  const began = performance.now()
  reviewPair('data_model', before, after)
  return performance.now() - began
}

/** Zero of what is nested too deep to be written. */
function bytesOf(value: Json): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return 0
  }
}
