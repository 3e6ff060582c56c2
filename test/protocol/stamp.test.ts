import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addMicros,
  EARLIEST,
  isStamp,
  latest,
  parseStamp,
  type Stamp,
  secondsBetween,
  stampAfter,
  stampOfMillis,
} from '../../src/protocol/stamp.ts'

const stamp = (text: string): Stamp => {
  const parsed = parseStamp(text)
  if (parsed === undefined) throw new TypeError(`not a time: ${text}`)
  return parsed
}

describe('any ISO 8601 date-time becomes the same fixed-width text', () => {
  test.each([
    ['with Z', '2026-11-16T02:51:42Z', '2026-11-16T02:51:42.000000Z'],
    ['with a small z', '2026-11-16T02:51:42z', '2026-11-16T02:51:42.000000Z'],
    ['naive means UTC', '2026-11-16T02:51:42.123456', '2026-11-16T02:51:42.123456Z'],
    ['with a blank for the T', '2026-11-16 02:51:42', '2026-11-16T02:51:42.000000Z'],
    ['without seconds', '2026-11-16T02:51', '2026-11-16T02:51:00.000000Z'],
    ['with milliseconds', '2026-11-16T02:51:42.5Z', '2026-11-16T02:51:42.500000Z'],
    ['with a comma', '2026-11-16T02:51:42,25Z', '2026-11-16T02:51:42.250000Z'],
    ['with nanoseconds, cut', '2026-11-16T02:51:42.123456999Z', '2026-11-16T02:51:42.123456Z'],
    ['east of Greenwich', '2026-11-16T02:51:42+05:30', '2026-11-15T21:21:42.000000Z'],
    ['west of Greenwich', '2026-11-16T22:51:42.1-05:00', '2026-11-17T03:51:42.100000Z'],
    ['with an offset without colon', '2026-11-16T02:51:42+0100', '2026-11-16T01:51:42.000000Z'],
    ['with an offset of whole hours', '2026-11-16T02:51:42-03', '2026-11-16T05:51:42.000000Z'],
    ['on a leap day', '2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000000Z'],
    ['over the turn of a year', '2025-12-31T23:59:59-00:01', '2026-01-01T00:00:59.000000Z'],
    ['before 1970', '1969-12-31T23:59:59.999999Z', '1969-12-31T23:59:59.999999Z'],
    ['in the first century', '0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000Z'],
    ['at the very beginning', EARLIEST, EARLIEST],
    ['at the very end', '9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
  ])('%s', (_form, text, expected) => {
    expect(parseStamp(text)).toBe(expected)
  })
})

describe('what is not a moment is no stamp', () => {
  test.each([
    '',
    'now',
    '2026-11-16',
    '2026-11-16T',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-32T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00.Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+01:60',
    '2026-01-01T00:00:00Z ',
    ' 2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00Z\n',
    '+002026-01-01T00:00:00Z',
    '-2026-01-01T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '１９９９-01-01T00:00:00Z',
  ])('%j', (text) => {
    expect(parseStamp(text)).toBeUndefined()
  })
})

const EARLIEST_MILLIS = Date.UTC(1970, 0, 1) - 1969 * 365 * 86_400_000
const anyMicros = fc.record({
  millis: fc.integer({ min: EARLIEST_MILLIS, max: Date.UTC(9999, 11, 30) }).map((one) => one - (one % 1000)),
  micros: fc.integer({ min: 0, max: 999_999 }),
})

describe('stamps compare as text', () => {
  test('exactly as the moments they stand for', () => {
    fc.assert(
      fc.property(anyMicros, anyMicros, (a, b) => {
        const [left, right] = [a, b].map((one) => addMicros(stampOfMillis(one.millis), one.micros))
        const inTime = Math.sign(a.millis - b.millis) || Math.sign(a.micros - b.micros)
        const asText = left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1
        return inTime === asText
      }),
      { numRuns: 10_000 },
    )
  })

  test('and whatever offset a moment was written in, it is the same text', () => {
    const twoDigits = (value: number) => String(value).padStart(2, '0')
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-02'), max: new Date('9000-01-01'), noInvalidDate: true }),
        fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 }),
        (date, minutes) => {
          const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
          const size = Math.abs(minutes)
          const offset = `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`
          return parseStamp(`${local}${offset}`) === parseStamp(date.toISOString())
        },
      ),
      { numRuns: 2_000 },
    )
  })

  test('and a stamp is read back as itself', () => {
    fc.assert(
      fc.property(anyMicros, ({ millis, micros }) => {
        const one = addMicros(stampOfMillis(millis), micros)
        return parseStamp(one) === one && one.length === EARLIEST.length
      }),
    )
  })
})

describe('the clock', () => {
  test('gives milliseconds, and microseconds when it has them', () => {
    expect(stampOfMillis(0)).toBe('1970-01-01T00:00:00.000000Z')
    expect(stampOfMillis(1_700_000_000_123.25)).toBe('2023-11-14T22:13:20.123250Z')
    expect(stampOfMillis(-1)).toBe('1969-12-31T23:59:59.999000Z')
  })
})

describe('adding microseconds', () => {
  test.each([
    ['2026-01-01T00:00:00.000000Z', 1, '2026-01-01T00:00:00.000001Z'],
    ['2026-01-01T00:00:00.999999Z', 1, '2026-01-01T00:00:01.000000Z'],
    ['2025-12-31T23:59:59.999999Z', 1, '2026-01-01T00:00:00.000000Z'],
    ['2024-02-28T23:59:59.999999Z', 1, '2024-02-29T00:00:00.000000Z'],
    ['2026-01-01T00:00:00.000000Z', 2_500_000, '2026-01-01T00:00:02.500000Z'],
    ['2026-01-01T00:00:00.000000Z', -1, '2025-12-31T23:59:59.999999Z'],
    ['0001-01-01T00:00:00.999999Z', 1, '0001-01-01T00:00:01.000000Z'],
  ])('%s and %i', (text, micros, expected) => {
    expect(addMicros(stamp(text), micros)).toBe(expected)
  })
})

describe('the stamp of a change', () => {
  const earlier = stamp('2026-01-01T00:00:00Z')
  const later = stamp('2026-01-01T00:00:05Z')

  test('is now, when the clock is ahead of what is there', () => {
    expect(stampAfter(later, earlier)).toBe(later)
  })

  test('is one microsecond after what is there, when the clock lags or stands still', () => {
    expect(stampAfter(earlier, later)).toBe('2026-01-01T00:00:05.000001Z')
    expect(stampAfter(later, later)).toBe('2026-01-01T00:00:05.000001Z')
  })

  test('is always newer than what is there', () => {
    fc.assert(
      fc.property(anyMicros, anyMicros, (a, b) => {
        const [now, current] = [stampOfMillis(a.millis), addMicros(stampOfMillis(b.millis), b.micros)]
        return stampAfter(now, current) > current
      }),
    )
  })
})

test('the latest of some stamps is the newest, and of none the earliest there is', () => {
  const some = ['2026-01-01T00:00:05Z', '2026-01-01T00:00:09Z', '2026-01-01T00:00:07Z'].map(stamp)
  expect(latest(some)).toBe('2026-01-01T00:00:09.000000Z')
  expect(latest([])).toBe(EARLIEST)
})

test('seconds between two stamps are signed', () => {
  const [early, late] = [stamp('2026-01-01T00:00:00Z'), stamp('2026-01-01T00:05:00.9Z')]
  expect(secondsBetween(early, late)).toBe(300)
  expect(secondsBetween(late, early)).toBe(-300)
})

test('what is a stamp at first sight is read as itself', () => {
  const digits = (most: number, width: number) => fc.nat(most).map((n) => String(n).padStart(width, '0'))
  const parts = fc.tuple(
    digits(9999, 4),
    digits(13, 2),
    digits(32, 2),
    digits(25, 2),
    digits(61, 2),
    digits(61, 2),
    digits(999_999, 6),
  )
  let seen = 0
  fc.assert(
    fc.property(parts, ([year, month, day, hour, minute, second, micros]) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}.${micros}Z`
      if (!isStamp(text)) return
      seen++
      // Without its Z it takes the long way.
      expect(parseStamp(text.slice(0, -1))).toBe(text)
    }),
    { numRuns: 2000 },
  )
  expect(seen).toBeGreaterThan(500)
})
