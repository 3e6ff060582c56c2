import type { Json } from '../../../protocol/json/json.ts'

const LONGEST = 80
/** Breaks of lines, what is not seen, and the quotes that we put around names. */
const UNFIT = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}«»]+/gu

/** Words with one blank between them, in letters that need no other look: most names and values. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** What others wrote, on one line and no longer than a name: it can neither end its line nor leave its quotes. */
export function shown(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text
  const inner = text
    .slice(0, 4 * LONGEST)
    .toWellFormed()
    .replaceAll(UNFIT, ' ')
    .trim()
  return inner.length <= LONGEST ? inner : `${inner.slice(0, LONGEST - 1).toWellFormed()}…`
}

/** A value in a sentence: text as it is, lists with commas. */
export function shownValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return shown(value === '' ? '""' : value)
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : shown(value.map((one) => shownValue(one)).join(', '))
  return shown(JSON.stringify(value))
}
