import { commonItems } from '../../domain/contract/common-items.ts'

/** A piece of a line, and whether it is in one of both only. */
export interface Word {
  readonly text: string
  readonly isChanged: boolean
}

/** Longer lines are marked as a whole. */
const LONGEST = 2000
/** Of words that are compared. */
const MOST_PAIRS = 1_000_000

/** What differs inside two lines. */
export function markWords(before: string, after: string): readonly [readonly Word[], readonly Word[]] {
  if (before.length > LONGEST || after.length > LONGEST) return [[changed(before)], [changed(after)]]
  const [a, b] = [wordsIn(before), wordsIn(after)]
  const common = commonItems(a, b, { left: MOST_PAIRS })
  return [marked(a, new Set(common.map(([x]) => x))), marked(b, new Set(common.map(([, y]) => y)))]
}

const changed = (text: string): Word => ({ text, isChanged: true })

const wordsIn = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []

/** Neighbours of the same kind become one piece. */
function marked(words: readonly string[], common: ReadonlySet<number>): readonly Word[] {
  const pieces: { text: string; isChanged: boolean }[] = []
  for (const [at, text] of words.entries()) {
    const isChanged = !common.has(at)
    const last = pieces.at(-1)
    if (last?.isChanged === isChanged) last.text += text
    else pieces.push({ text, isChanged })
  }
  return pieces
}
