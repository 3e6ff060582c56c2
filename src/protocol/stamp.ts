/**
 * A moment as fixed-width UTC text with microseconds, `2026-11-16T02:51:42.123456Z`.
 * Stamps compare as text; a `Date` never takes part, because it reads a naive ISO string as local time.
 */
export type Stamp = string & { readonly brand: 'Stamp' }

const ISO =
  /^(\d{4})-?(\d{2})-?(\d{2})[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d{1,12}))?)?(?:(Z|z)|([+-])(\d{2})(?::?(\d{2}))?)?$/

/** Any ISO 8601 date-time becomes a stamp; one without a zone means UTC. */
export const parseStamp = (text: string): Stamp | undefined => (isStamp(text) ? text : parseIso(text))

const OWN_FORM = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{6}Z$/

/** Whether the text is surely a stamp, as most inputs are. The last days of months are left to the parser. */
export function isStamp(text: string): text is Stamp {
  if (text.length !== EARLIEST.length || !OWN_FORM.test(text)) return false
  const month = Number(text.slice(5, 7))
  const day = Number(text.slice(8, 10))
  return text >= EARLIEST && month >= 1 && month <= 12 && day >= 1 && day <= 28
}

function parseIso(text: string): Stamp | undefined {
  const match = ISO.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = '0', fraction = '', , sign, offsetHours, offsetMinutes] =
    match
  // Date.parse, because Date.UTC takes the years 1 to 99 for 1901 to 1999.
  const local = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second.padStart(2, '0')}Z`)
  const isReal =
    !Number.isNaN(local) &&
    new Date(local).toISOString().startsWith(`${year}-${month}-${day}T${hour}:${minute}`)
  if (!isReal || Number(second) > 59 || Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59)
    return undefined
  const shift = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * 60_000
  const utc = sign === '+' ? local - shift : sign === '-' ? local + shift : local
  return fromParts(utc, Number(fraction.padEnd(6, '0').slice(0, 6)))
}

/** With additional microseconds from 0 to 999, where `millis` has no fraction itself. */
export function stampOfMillis(millis: number, micros = 0): Stamp {
  const whole = Math.floor(millis / 1000) * 1000
  return fromParts(whole, Math.floor((millis - whole) * 1000) + micros) ?? EARLIEST
}

export const EARLIEST = '0001-01-01T00:00:00.000000Z' as Stamp

/** The time for a change: now, or just after the entity's newest time if this clock is behind. */
export const stampAfter = (now: Stamp, current: Stamp): Stamp => (now > current ? now : addMicros(current, 1))

export function addMicros(stamp: Stamp, micros: number): Stamp {
  const sum = Number(stamp.slice(20, 26)) + micros
  const carry = Math.floor(sum / 1_000_000)
  return fromParts(wholeMillis(stamp) + carry * 1000, sum - carry * 1_000_000) ?? stamp
}

export function latest(stamps: Iterable<Stamp>): Stamp {
  let newest = EARLIEST
  for (const stamp of stamps) if (stamp > newest) newest = stamp
  return newest
}

/** Whole seconds by which `later` is ahead of `earlier`; negative when it is behind. */
export function secondsBetween(earlier: Stamp, later: Stamp): number {
  return (wholeMillis(later) - wholeMillis(earlier)) / 1000
}

export function millisBetween(earlier: Stamp, later: Stamp): number {
  return epochMillis(later) - epochMillis(earlier)
}

export const epochMillis = (stamp: Stamp): number => Date.parse(`${stamp.slice(0, 23)}Z`)

/** Whole seconds since 1970, as in JSON Web Tokens. */
export const epochSeconds = (stamp: Stamp): number => wholeMillis(stamp) / 1000

const wholeMillis = (stamp: Stamp): number => Date.parse(`${stamp.slice(0, 19)}Z`)

function fromParts(wholeSecondMillis: number, micros: number): Stamp | undefined {
  const second = wholeSecondMillis === last.millis ? last.text : secondText(wholeSecondMillis)
  if (second === undefined) return undefined
  last = { millis: wholeSecondMillis, text: second }
  return `${second}.${String(micros).padStart(6, '0')}Z` as Stamp
}

/** Cached, because most stamps are in the same second as the one before. */
let last = { millis: Number.NaN, text: '' }

function secondText(wholeSecondMillis: number): string | undefined {
  const date = new Date(wholeSecondMillis)
  const year = date.getUTCFullYear()
  return year >= 1 && year <= 9999 ? date.toISOString().slice(0, 19) : undefined
}
