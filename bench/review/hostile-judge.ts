import { reviewPair } from '../../src/domain/interface/review.ts'
import type { Json } from '../../src/protocol/json/json.ts'
import { endWithParent, tell } from '../child.ts'
import { HOSTILE } from './hostile.ts'

/** One hostile pair, judged as the first thing that a process does. */
export interface ColdReview {
  readonly ms: number
  readonly bytes: number
}

endWithParent()
const [before, after] = HOSTILE[Number(process.argv[2])]?.make() ?? [null, null]
const began = performance.now()
reviewPair('data_model', before, after)
const ms = performance.now() - began
tell({ ms, bytes: bytesOf(before) } satisfies ColdReview)

/** Zero of what is nested too deep to be written. */
function bytesOf(value: Json): number {
  try {
    return JSON.stringify(value).length
  } catch {
    return 0
  }
}
