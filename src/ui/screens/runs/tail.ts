/** The end of a text that may be very long, without looking at its beginning. */
export interface Tail {
  readonly text: string
  /** How many characters come before it. */
  readonly before: number
}

const MOST_CHARACTERS = 60_000

/** At most so many lines, and never more than a page can show. */
export function tailOf(text: string, lines: number): Tail {
  let start = text.length
  for (let line = 0; line < lines && start > 0; line++) {
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
    if (text.length - start > MOST_CHARACTERS) {
      start = text.length - MOST_CHARACTERS
      break
    }
  }
  return { text: text.slice(start).toWellFormed(), before: start }
}
