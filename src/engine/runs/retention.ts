import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import type { Record } from './record.ts'
import type { RunRules } from './rules.ts'

const isIdle = ({ run, watchers, retrying }: Record): boolean =>
  run.ended_at !== null && watchers === 0 && retrying === undefined

/** The runs to forget, given all, oldest first: those that have ended, that nobody reads, and that are too many, too old or too large. */
export function expired(records: Iterable<Record>, rules: RunRules, now: Stamp): Record[] {
  const tooOld = addMicros(now, -1000 * rules.keptMillis)
  const ended: Record[] = []
  let bytes = 0
  for (const record of records) {
    if (!isIdle(record)) continue
    ended.push(record)
    bytes += record.bytes
  }
  let count = ended.length
  return ended.filter((record) => {
    const isOld = record.run.ended_at !== null && record.run.ended_at < tooOld
    if (count <= rules.keptRuns && bytes <= rules.keptBytes && !isOld) return false
    count--
    bytes -= record.bytes
    return true
  })
}
