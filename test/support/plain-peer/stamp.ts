/** A rejected value: the reference answers -32602 for these and -32000 for every other failure. */
export class BadValue extends Error {
  override readonly name = 'BadValue'
}

const ISO = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/i

/** The reference's own times: UTC with microseconds and without a zone. */
export function naiveStamp(millis: number): string {
  const micros = Math.floor(millis * 1000)
  const sub = String(micros % 1000).padStart(3, '0')
  return `${new Date(Math.floor(micros / 1000)).toISOString().slice(0, 23)}${sub}`
}

/** A time as the reference stores it: a zone stays a zone, the fraction has six digits. */
export function readStamp(text: string): string {
  const [, date, time, fraction = '', zone = ''] = ISO.exec(text) ?? []
  if (date === undefined || Number.isNaN(Date.parse(`${date}T${time}Z`))) {
    throw new BadValue(`Input should be a valid datetime: ${text}`)
  }
  return `${date}T${time}.${fraction.slice(0, 6).padEnd(6, '0')}${zone.toUpperCase()}`
}

/** Below, equal or above zero; a zoned and a naive time cannot be compared at all. */
export function compareStamps(a: string, b: string): number {
  const [first, second] = [momentOf(a), momentOf(b)]
  if (first.isZoned !== second.isZoned) {
    throw new TypeError("can't compare offset-naive and offset-aware datetimes")
  }
  return first.micros - second.micros
}

function momentOf(stamp: string): { micros: number; isZoned: boolean } {
  const [, date, time, fraction, zone] = ISO.exec(readStamp(stamp)) ?? []
  const millis = Date.parse(`${date}T${time}${zone ?? 'Z'}`)
  return { micros: millis * 1000 + Number(fraction), isZoned: zone !== undefined }
}
