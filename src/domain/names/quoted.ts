import type { JsonObject } from '../../protocol/json/json.ts'

/** What others wrote, made fit to stand inside a text of ours: it can neither end its line nor leave its quotes. */

/** Breaks of lines and pages, control characters and all kinds of blanks. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
/** What no reader sees: controls of writing direction, tags, fillers, variations, characters that nobody assigned. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}]/gu
/** The same, and the breaks that JSON leaves as they are. */
const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\p{Cc}\p{Zl}\p{Zp}]/gu
/** The quotes that we put around it, and what is easily taken for them. */
const FENCES = /[«»《》⟪⟫≪≫]/gu

/** On one line, without anything that is not seen. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replaceAll(UNSEEN, '').replaceAll(BREAKS, ' ').trim()

/** What others wrote in a field that takes text and JSON. */
export const textOf = (value: JsonObject | string): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** JSON on one line, in which what is not seen is written out: it says the same, and hides nothing from who reads it. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value ?? null).replaceAll(HIDDEN, (hidden) =>
    Array.from({ length: hidden.length }, (_, at) => escaped(hidden.charCodeAt(at))).join(''),
  )

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** On one line between quotes that it cannot close, and no longer than this with all that is around it. */
export function quoted(text: string, most: number): string {
  // A mark at the beginning would change the look of the quote before it.
  const inner = oneLine(text.slice(0, 4 * most))
    .replaceAll(FENCES, '"')
    .replace(/^\p{M}+/u, '')
  return `«${shortened(inner, most - 2)}»`
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${cutAt(text, most - 1).trimEnd()}…`
}

/** What belongs to the character before it. */
const JOINED = /^(?:[\u{DC00}-\u{DFFF}]|\p{M}|\u200d)/u
/** Longest row of marks that is kept on its letter. */
const LONGEST_CHARACTER = 16

/** The beginning of a text; never ends in the middle of a character. */
export function cutAt(text: string, most: number): string {
  if (text.length <= most) return text
  const least = Math.max(0, most - LONGEST_CHARACTER)
  for (let end = most; end > least; end--) if (isEnd(text, end)) return text.slice(0, end)
  return text.slice(0, isLow(text, most) ? most - 1 : most)
}

const isEnd = (text: string, end: number): boolean =>
  !isLow(text, end) && !JOINED.test(text.slice(end, end + 2)) && text[end - 1] !== '\u200d'

function isLow(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
