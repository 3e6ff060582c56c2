import { millisBetween, parseStamp, type Stamp } from '../../../protocol/stamp.ts'

/**
 * By how many seconds the clock of somebody is ahead of ours who said its time about half-way between question and
 * answer; null if what it said is no time.
 */
export function clockSkew(
  now: unknown,
  { asked, answered }: { asked: Stamp; answered: Stamp },
): number | null {
  const theirs = typeof now === 'string' ? parseStamp(now) : undefined
  if (theirs === undefined) return null
  return Math.round((millisBetween(asked, theirs) + millisBetween(answered, theirs)) / 2000) || 0
}
