import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { isOwnContract, isOwnPacket } from '../../src/domain/own-form.ts'
import { bareContract, renderPacket } from '../../src/domain/render.ts'
import { WireContract, WirePacket } from '../../src/domain/wire.ts'
import { canonicalText } from '../../src/protocol/canonical.ts'
import { LIMITS } from '../../src/protocol/limits.ts'
import { anyContract, anyPacket } from './arbitraries.ts'
import { throughJson } from './builders.ts'

interface Kind {
  isOwn(wire: unknown): boolean
  schema: z.ZodType
  /** As a cacpd sends it, without keys that only a later version knows. */
  written: fc.Arbitrary<unknown>
}

const contract: Kind = {
  isOwn: isOwnContract,
  schema: WireContract,
  written: anyContract.map((value) => throughJson(bareContract({ ...value, extra: {} }))),
}
const packet: Kind = {
  isOwn: isOwnPacket,
  schema: WirePacket,
  written: anyPacket.map((value) =>
    throughJson(renderPacket({ ...value, extra: {}, redacted: null, others: [] })),
  ),
}
const kinds = [
  ['contract', contract],
  ['packet', packet],
] as const
const RUNS = { numRuns: 3000 }

/** Values of every type, among them those just inside and just outside of each bound. */
const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    '',
    '__proto__',
    'constructor',
    '../x',
    'x\n',
    0,
    1,
    -1,
    1.5,
    2 ** 53 - 1,
    2 ** 53,
    '1',
    null,
    [],
    {},
    [[]],
    [null],
    'agreed',
    'verified',
    'pending',
    'f'.repeat(64),
    'F'.repeat(64),
    `${'f'.repeat(64)}\n`,
    '2026-11-16T02:51:42.123456Z',
    '2026-11-16T02:51:42.123456Z\n',
    '2026-11-16T02:51:42Z',
    '2026-11-16T02:51:42.123456',
    '2026-02-28T23:59:59.999999Z',
    '2026-02-29T00:00:00.000000Z',
    '2026-00-01T00:00:00.000000Z',
    '2026-13-01T00:00:00.000000Z',
    '2026-01-00T00:00:00.000000Z',
    '0000-01-01T00:00:00.000000Z',
    '2026-01-01T24:00:00.000000Z',
    '2026-01-01T00:60:00.000000Z',
    '2026-01-01T00:00:60.000000Z',
  ),
  fc
    .constantFrom(41, 128, 129, 200, 201, 256, 257, 1024, 1025, 2048, 2049, 20_000, 20_001)
    .map((length) => 'x'.repeat(length)),
  fc.constantFrom(200, 201, 400, 401, 1000, 1001).map((length) => Array(length).fill('f'.repeat(64))),
  fc.constantFrom(-9, -8).map((more) => ({ a: 'x'.repeat(LIMITS.contentLength + more) })),
)

interface Mangling {
  /** Which of the places in the object, counted through. */
  place: number
  how: 'replace' | 'remove' | 'add'
  value: unknown
  key: string
}

const mangling: fc.Arbitrary<Mangling> = fc.record({
  place: fc.nat(1000),
  how: fc.constantFrom('replace', 'replace', 'remove', 'add'),
  value: oddValue,
  key: fc.constantFrom('conflicts', 'extra', '__proto__', 'constructor', 'redacted', 'others', 'x'),
})

/** Every object and list inside, with each of its keys. */
function placesIn(value: unknown, found: [Record<string, unknown>, string][] = []) {
  if (typeof value !== 'object' || value === null) return found
  for (const key of Object.keys(value)) {
    found.push([value as Record<string, unknown>, key])
    placesIn((value as Record<string, unknown>)[key], found)
  }
  return found
}

function mangled(wire: unknown, { place, how, value, key: added }: Mangling): unknown {
  const copy = throughJson(wire)
  const places = placesIn(copy)
  const [object, key] = places[place % places.length] ?? [{}, '']
  if (how === 'remove') Array.isArray(object) ? object.splice(Number(key), 1) : delete object[key]
  else
    Object.defineProperty(object, how === 'add' && !Array.isArray(object) ? added : key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
  return copy
}

describe.each(kinds)('a %s', (_name, { isOwn, schema, written }) => {
  test('that a cacpd wrote is known at once', () => {
    fc.assert(
      fc.property(written, (wire) => isOwn(wire)),
      RUNS,
    )
  })

  test('that is known at once is one that the schema takes and gives back equal, however it was mangled', () => {
    let known = 0
    fc.assert(
      fc.property(written, fc.array(mangling, { minLength: 1, maxLength: 3 }), (wire, manglings) => {
        const sent = manglings.reduce(mangled, wire)
        if (!isOwn(sent)) return
        known++
        const before = canonicalText(sent)
        const { data } = schema.safeParse(sent)
        expect(data).toEqual(sent)
        expect(canonicalText(data)).toBe(before)
      }),
      { numRuns: 5000 },
    )
    expect(known).toBeGreaterThan(50)
  })

  test.each([null, undefined, 1, 'x', [], {}])('is nothing like %j', (value) => {
    expect(isOwn(value)).toBe(false)
  })
})
