import { reservationOn } from '../domain/contract/reservation.ts'
import { cutAt, quoted } from '../domain/names/quoted.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json/json.ts'

/** About 10,000 tokens: from there on clients warn or cut. */
export const MOST_TEXT = 40_000

/** What is undefined or empty has no line; a list has one for each. */
export const lines = (...parts: readonly (string | undefined | readonly string[])[]): string =>
  parts
    .flat()
    .filter((part) => part !== undefined && part !== '')
    .join('\n')

/** What somebody else wrote. */
export const said = (text: unknown, most = 200): string =>
  quoted(typeof text === 'string' ? text : JSON.stringify(text ?? null), most)

/** What has to be known of whoever said it, in brackets; nothing where it is signed and holds. */
export function reservation(one: JsonObject | undefined): string {
  const text = reservationOn(one?.['by'])
  return text === '' ? '' : ` (${text})`
}

/** To the second. */
export const when = (stamp: unknown): string => `${String(stamp).slice(0, 19)}Z`

export function within(text: string, howToGetTheRest: string, most = MOST_TEXT): string {
  if (text.length <= most) return text
  const kept = cutAt(text, most)
  return `${kept}\n[cut here: ${text.length - kept.length} more characters. ${howToGetTheRest}]`
}

/** Lists of objects, as answers have them. */
export const listIn = (value: JsonObject, key: string): readonly JsonObject[] => {
  const list = value[key]
  return Array.isArray(list) ? list.filter((one: Json) => isJsonObject(one)) : []
}

export const textIn = (value: JsonObject, key: string): string => {
  const text = value[key]
  return typeof text === 'string' ? text : text === undefined || text === null ? '' : JSON.stringify(text)
}
