import type { JsonObject } from '../../protocol/json/json.ts'

/** Makes text by others safe inside our own text: it can neither end its line nor leave its quotes. */

/** Line and page breaks, control characters and all kinds of white space. */
const BREAKS = /[\p{Cc}\p{Zl}\p{Zp}\s]+/gu
/** Invisible characters: direction controls, tags, fillers, variation selectors, unassigned characters. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}]/gu
/** The same, and the breaks that JSON does not escape. */
export const HIDDEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Co}\p{Cn}\p{Cc}\p{Zl}\p{Zp}]/gu
/** Our own quotation marks, and characters that look like them. */
const FENCES = /[«»《》⟪⟫≪≫]/gu

/** The text on one line, without invisible characters. */
export const oneLine = (text: string): string =>
  text.toWellFormed().replaceAll(UNSEEN, '').replaceAll(BREAKS, ' ').trim()

/** The text of a field that accepts text and JSON. */
export const textOf = (value: JsonObject | string): string =>
  typeof value === 'string' ? value : JSON.stringify(value)

/** JSON on one line with invisible characters escaped, so that nothing is hidden from the reader. */
export const plainJson = (value: unknown): string =>
  JSON.stringify(value ?? null).replaceAll(HIDDEN, (hidden) =>
    Array.from({ length: hidden.length }, (_, at) => escaped(hidden.charCodeAt(at))).join(''),
  )

const escaped = (unit: number): string => `\\u${unit.toString(16).padStart(4, '0')}`

/** The text on one line in quotes that it cannot close, at most this long including the quotes. */
export function quoted(text: string, most: number): string {
  // A combining mark at the start would change the opening quote.
  const inner = oneLine(text.slice(0, 4 * most))
    .replaceAll(FENCES, '"')
    .replace(/^\p{M}+/u, '')
  return `«${shortened(inner, most - 2)}»`
}

export function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${cutAt(text, most - 1).trimEnd()}…`
}

/** A character that combines with the one before it. */
const JOINED = /^(?:[\u{DC00}-\u{DFFF}]|\p{M}|\u200d)/u
/** The longest sequence of combining marks that is kept together. */
const LONGEST_CHARACTER = 16

/** The beginning of a text; never ends inside a character. */
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
