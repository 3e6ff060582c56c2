import { reservationOn } from '../domain/contract/reservation.ts'
import { cutAt, quoted } from '../domain/names/quoted.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json/json.ts'

/** About 10,000 tokens: from there on clients warn or cut. */
const MOST_TEXT = 40_000

/** Joins lines; parts that are not there or empty are left out, a list gives one line per item. */
export const lines = (...parts: readonly (string | false | undefined | readonly string[])[]): string =>
  parts.flat().filter(Boolean).join('\n')

/** Quotes what somebody else wrote. */
export const said = (text: unknown, most = 200): string =>
  quoted(typeof text === 'string' ? text : JSON.stringify(text ?? null), most)

/** The reservations about the author, in brackets; empty if there are none. */
export function reservation(one: JsonObject | undefined): string {
  const text = reservationOn(one?.['by'])
  return text === '' ? '' : ` (${text})`
}

/** To the second. */
export const when = (stamp: unknown): string => `${String(stamp).slice(0, 19)}Z`

export function within(text: string, howToGetTheRest: string): string {
  if (text.length <= MOST_TEXT) return text
  const kept = cutAt(text, MOST_TEXT)
  return `${kept}\n[cut here: ${text.length - kept.length} more characters. ${howToGetTheRest}]`
}

export const listIn = (value: JsonObject, key: string): readonly JsonObject[] => {
  const list = value[key]
  return Array.isArray(list) ? list.filter((one: Json) => isJsonObject(one)) : []
}

export const textIn = (value: JsonObject, key: string): string => {
  const text = value[key]
  return typeof text === 'string' ? text : text === undefined || text === null ? '' : JSON.stringify(text)
}
