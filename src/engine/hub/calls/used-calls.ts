import { REMEMBERED_SECONDS } from '../../../domain/hub/call.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { Fault } from '../../../protocol/fault.ts'

/** Of each caller; more than the limits of calls let one make in that time. */
const MOST = 20_000

/** Remembers the calls that were taken since the start, for as long as each could be taken; answers false for those. */
export function createUsedCalls(millis: () => number): (caller: string, call: string) => boolean {
  /** By caller and call: until when it is remembered. The oldest come first. */
  const used = new Map<string, Map<string, number>>()
  return (caller, call) => {
    const now = millis()
    const calls = getOrAdd(used, caller, () => new Map<string, number>())
    for (const [id, until] of calls) {
      if (until > now) break
      calls.delete(id)
    }
    if (calls.has(call)) return false
    if (calls.size >= MOST)
      throw new Fault('rate_limited', `${caller} has made too many calls over the hub`, {
        next: 'Come again in a few minutes',
      })
    calls.set(call, now + REMEMBERED_SECONDS * 1000)
    return true
  }
}
