/** Suggestions for a mistyped word. */

/** Longer words are compared by their beginnings. */
const MOST_CHARACTERS = 60
const MOST_WORDS_COMPARED = 300

export function closestTo(word: string, words: readonly string[]): string | undefined {
  const whole = words.find((one) => one.startsWith(word))
  return whole ?? byDistance(word, words).at(0)?.one
}

/** Undefined if none is close enough to be meant. */
export function nearTo(word: string, words: readonly string[]): string | undefined {
  const [first] = byDistance(word, words)
  return first !== undefined && first.distance <= Math.max(1, word.length / 3) ? first.one : undefined
}

/** The closest first. */
export const closestOnes = (word: string, words: readonly string[], most: number): readonly string[] =>
  byDistance(word, words)
    .slice(0, most)
    .map(({ one }) => one)

const byDistance = (word: string, words: readonly string[]) =>
  words
    .slice(0, MOST_WORDS_COMPARED)
    .map((one) => ({ one, distance: editDistance(compared(word), compared(one)) }))
    .sort((a, b) => a.distance - b.distance)

const compared = (word: string): string => word.slice(0, MOST_CHARACTERS).toLowerCase()

/** The number of letters to insert, remove or replace. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [place, other] of [...to].entries()) {
      const [left = 0, diagonal = 0, above = 0] = [next[place], row[place], row[place + 1]]
      next.push(Math.min(left + 1, above + 1, diagonal + (letter === other ? 0 : 1)))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
