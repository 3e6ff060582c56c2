import { readFileSync } from 'node:fs'

/** Where user and system time of ended children stand, behind the name, in /proc/self/stat. */
const CUTIME = 16 - 3
const CSTIME = 17 - 3
/** A tick is a hundredth of a second on every Linux. */
const TICK_MILLIS = 10

/** What was counted for children that ended before. */
let counted = 0

/**
 * CPU time of the child of this process that has just ended, with all that it waited for itself; undefined where
 * the system does not tell. The system knows only the sum over all ended children, so this has to be asked at the
 * very moment when one ends, and once before the first begins.
 */
export function cpuOfEndedChild(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const total = (Number(fields[CUTIME]) + Number(fields[CSTIME])) * TICK_MILLIS
    const grown = total - counted
    counted = total
    return grown
  } catch {
    return undefined
  }
}
