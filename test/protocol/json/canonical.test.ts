import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  canonicalText,
  compareText,
  derivedUuid,
  hashOf,
  isInOrder,
} from '../../../src/protocol/json/canonical.ts'
import { sha256 } from '../../../src/protocol/text/sha256.ts'

describe('canonical text (RFC 8785)', () => {
  test('sorts keys by UTF-16 code units, as in the example of section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    expect(Object.values(JSON.parse(canonicalText(value)) as object).sort()).toEqual(
      Object.values(value).sort(),
    )
    expect([...canonicalText(value).matchAll(/:"(\w+)/g)].map((match) => match[1])).toEqual([
      'Carriage',
      'One',
      'Control',
      'Latin',
      'Euro',
      'Emoji',
      'Hebrew',
    ])
  })

  test('sorts at every depth and leaves the order of lists', () => {
    expect(canonicalText({ b: [{ d: 1, c: 2 }, 3, 1], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},3,1]}')
  })

  test.each([
    [-0, '0'],
    [1e21, '1e+21'],
    [0.000001, '0.000001'],
    [1e-7, '1e-7'],
    [4.5, '4.5'],
    ['\u20ac$\u000f\nA\'B"\\/', '"€$\\u000f\\nA\'B\\"\\\\/"'],
  ])('writes %j as %s', (value, text) => {
    expect(canonicalText(value)).toBe(text)
  })

  test('is what the reference library writes, for any JSON', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ stringUnit: 'binary' }),
        (value) => canonicalText(value) === canonicalize(value),
      ),
      { numRuns: 2000 },
    )
  })

  test('needs no sorting where it was read from canonical text, unless a key looks like a number', () => {
    const isNumberLike = (text: string) => /"\d+":/.test(text)
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = canonicalText(value)
        const read: unknown = JSON.parse(text)
        return canonicalText(read) === text && (isInOrder(read) || isNumberLike(text))
      }),
      { numRuns: 2000 },
    )
  })

  test.each([
    { b: 1, a: 2 },
    [{ a: { d: 1, c: 2 } }],
    { 9: 1, 10: 2 },
    { a: undefined },
    { at: new Date(0) },
    ['\ud800'],
  ])('%j is not in order as it is', (value) => {
    expect(isInOrder(value)).toBe(false)
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\ud800': 1 }])('refuses %j', (value) => {
    expect(() => canonicalText([value])).toThrow()
  })

  test('treats __proto__ as the ordinary key that it is in JSON', () => {
    expect(canonicalText(JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}'))).toBe(
      '{"__proto__":{"a":2,"z":1},"b":1}',
    )
  })

  test('is equal for equal values, however they were written, and reads back as the value', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        const text = canonicalText(value)
        expect(canonicalText(reversed)).toBe(text)
        expect(canonicalText(JSON.parse(text))).toBe(text)
      }),
    )
  })
})

describe('hashes', () => {
  test('of equal values are equal, of different ones not', () => {
    expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, a: 1 }))
    expect(hashOf({ a: 1 })).not.toBe(hashOf({ a: '1' }))
  })

  test('are SHA-256 in lower-case hex of the UTF-8 text', () => {
    expect(sha256(new Uint8Array())).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    expect(hashOf('ä')).toBe(sha256(new TextEncoder().encode('"ä"')))
  })
})

describe('a derived UUID', () => {
  test('is the same for the same names, and a well-formed UUID of version 8', () => {
    const uuid = derivedUuid('repo', 'p1', 'backend')
    expect(uuid).toBe(derivedUuid('repo', 'p1', 'backend'))
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('does not confuse where one name ends and the next begins', () => {
    expect(derivedUuid('ab', 'c')).not.toBe(derivedUuid('a', 'bc'))
  })

  test('keeps its form for any names', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (names) =>
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(derivedUuid(...names)),
      ),
    )
  })
})

test('texts compare by code units, not by locale', () => {
  expect(['ä', 'b', 'Z', 'a'].sort(compareText)).toEqual(['Z', 'a', 'b', 'ä'])
  expect(compareText('a', 'a')).toBe(0)
})
