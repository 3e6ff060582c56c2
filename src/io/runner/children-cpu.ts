import { readFileSync } from 'node:fs'
import { statFields } from './proc-stat.ts'

/** The positions of user and system time of ended children in /proc/self/stat, counted after the name. */
const CUTIME = 16 - 3
const CSTIME = 17 - 3
/** A tick is a hundredth of a second on every Linux. */
const TICK_MILLIS = 10

let counted = 0

/**
 * CPU time of the child process that has just ended, including the processes that it waited for; undefined where the
 * system does not tell. The system only knows the sum over all ended children, so this has to be called at the moment
 * when one ends, and once before the first one starts.
 */
export function cpuOfEndedChild(): number | undefined {
  try {
    const fields = statFields(readFileSync('/proc/self/stat', 'latin1'))
    const total = (Number(fields[CUTIME]) + Number(fields[CSTIME])) * TICK_MILLIS
    const grown = total - counted
    counted = total
    return grown
  } catch {
    return undefined
  }
}
