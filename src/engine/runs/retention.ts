import type { Run } from '../../protocol/run/run.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import type { RunRules } from './rules.ts'

/** An ended run that nobody reads, and the size of its file. */
interface EndedRun {
  readonly run: Pick<Run, 'ended_at'>
  readonly bytes: number
}

/** The runs to forget, given all that could be, oldest first: those that are too many, too old or too large together. */
export function expired<Ended extends EndedRun>(
  ended: readonly Ended[],
  rules: RunRules,
  now: Stamp,
): Ended[] {
  const tooOld = addMicros(now, -1000 * rules.keptMillis)
  let count = ended.length
  let bytes = ended.reduce((sum, one) => sum + one.bytes, 0)
  return ended.filter((one) => {
    const isOld = one.run.ended_at !== null && one.run.ended_at < tooOld
    if (count <= rules.keptRuns && bytes <= rules.keptBytes && !isOld) return false
    count--
    bytes -= one.bytes
    return true
  })
}
