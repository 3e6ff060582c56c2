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

/** Words of ours in a sentence: text as it is, lists with commas. */
export function shownValue(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return shown(value === '' ? '""' : value)
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : shown(value.map((one) => shownValue(one)).join(', '))
  return shown(JSON.stringify(value))
}

/** A value that others wrote in a sentence: text in quotes, and of a long list as much as a name may take. */
export function quoted(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') return `«${shown(value)}»`
  return Array.isArray(value) ? quotedList(value) : shown(JSON.stringify(value))
}

/** Values that are kept of a long list; behind them stands how many there are. */
export const MOST_KEPT = 20

function quotedList(list: readonly Json[]): string {
  const values = list.slice(0, MOST_KEPT)
  const count = list.length > MOST_KEPT ? Number(list[MOST_KEPT]) : list.length
  let text = ''
  for (const [index, value] of values.entries()) {
    const longer = text === '' ? quoted(value) : `${text}, ${quoted(value)}`
    if (index > 0 && longer.length > LONGEST) return `${text} and ${count - index} more`
    text = longer
  }
  return text === '' ? 'nothing' : count > values.length ? `${text} and ${count - values.length} more` : text
}
