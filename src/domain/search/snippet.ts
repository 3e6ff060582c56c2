import { cutAt, oneLine, shortened } from '../names/quoted.ts'
import { foldWord, NAME, wordsOf } from './words.ts'

/** Characters before the first match. */
const BEFORE = 40

interface Match {
  readonly at: number
  readonly term: string
}

/** The part of a text with the most matching terms, on one line. */
export function snippetOf(text: string, terms: ReadonlySet<string>, most: number): string {
  const line = oneLine(text)
  if (line.length <= most) return line
  const first = bestMatch(line, terms, most - BEFORE) ?? 0
  if (first <= BEFORE) return shortened(line, most)
  const blank = line.indexOf(' ', first - BEFORE)
  // A longer word is cut, but not inside a character.
  const start = blank >= 0 && blank < first ? blank + 1 : cutAt(line, first - BEFORE).length
  return `…${shortened(line.slice(start), most - 1)}`
}

/** The start position after which the most different terms follow within this width. */
function bestMatch(line: string, terms: ReadonlySet<string>, width: number): number | undefined {
  const near: Match[] = []
  let best: number | undefined
  let most = 0
  for (const match of matchesIn(line, terms)) {
    near.push(match)
    while (match.at - (near[0]?.at ?? 0) > width) near.shift()
    const count = new Set(near.map(({ term }) => term)).size
    if (count <= most) continue
    most = count
    best = near[0]?.at
    if (most === terms.size) return best
  }
  return best
}

function* matchesIn(line: string, terms: ReadonlySet<string>): Iterable<Match> {
  for (const { 0: name, index } of line.matchAll(NAME)) {
    for (const word of wordsOf(name)) {
      const term = foldWord(word)
      if (terms.has(term)) yield { at: index, term }
    }
  }
}
