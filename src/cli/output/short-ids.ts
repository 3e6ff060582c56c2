import { isUuid } from '../../protocol/text/uuid.ts'
import { UsageError } from '../program/report.ts'

/** Where an id may end that is cut short: behind a group, but not the first one, which may say the time alone. */
const ENDS = [13, 18, 23]

/**
 * The beginning of each of these ids that no other one of them has, long enough to be taken for it when it is given
 * back. What is none of our ids stays whole.
 */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const sorted = [...new Set(ids)].filter(isUuid).sort()
  const short = new Map<string, string>()
  for (const [index, id] of sorted.entries()) {
    const shared = Math.max(sharedBy(id, sorted[index - 1]), sharedBy(id, sorted[index + 1]))
    const end = ENDS.find((one) => one > shared)
    short.set(id, id.slice(0, end))
  }
  return (id) => short.get(id) ?? id
}

function sharedBy(id: string, other = ''): number {
  let count = 0
  while (count < other.length && id[count] === other[count]) count++
  return count
}

/** Shorter ones would mean something else tomorrow. */
const SHORTEST = 6
const TOLD = 10

/** The id that begins with a word, of those there are. What begins none is left to the daemon, which says so. */
export async function idMeant(word: string, all: () => Promise<readonly string[]>): Promise<string> {
  if (word.length < SHORTEST || isUuid(word)) return word
  const begun = (await all()).filter((id) => id.startsWith(word))
  if (begun.length <= 1) return begun[0] ?? word
  const told = begun.slice(0, TOLD).join(', ')
  throw new UsageError(`${begun.length} IDs begin with ${word}: ${told}`, 'Name the one that you mean')
}
