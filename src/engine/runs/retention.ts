import { type Stamp, secondsBetween } from '../../protocol/stamp.ts'
import type { Record } from './record.ts'
import type { RunRules } from './rules.ts'

const isIdle = ({ run, watchers, retrying }: Record): boolean =>
  run.ended_at !== null && watchers === 0 && retrying === undefined

/** The runs to forget, given all, oldest first: those that have ended, that nobody reads, and that are too many, too old or too large. */
export function expired(records: Iterable<Record>, rules: RunRules, now: Stamp): Record[] {
  const ended = [...records].filter((record) => isIdle(record))
  let count = ended.length
  let bytes = ended.reduce((sum, record) => sum + record.bytes, 0)
  return ended.filter((record) => {
    const age = secondsBetween(record.run.ended_at ?? now, now) * 1000
    if (count <= rules.keptRuns && bytes <= rules.keptBytes && age <= rules.keptMillis) return false
    count--
    bytes -= record.bytes
    return true
  })
}
