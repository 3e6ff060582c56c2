import { describe, expect, test } from 'vitest'
import { Content, FreeObject, findUnstorable } from '../../../src/protocol/json/json.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'

/** An object inside an object, that many levels in all. */
function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? { a: value } : [value]
  return value
}

describe('what can be stored', () => {
  test.each([
    [null],
    [true],
    ['text'],
    ['💡 whole pair'],
    [0],
    [-0],
    [1.5],
    [1e300 / 3e290],
    [Number.MAX_SAFE_INTEGER],
    [Number.MIN_SAFE_INTEGER],
    [[]],
    [{}],
    [{ a: [1, { b: null }] }],
    [JSON.parse('{"__proto__":{"a":1}}')],
  ])('%j', (value) => {
    expect(findUnstorable(value)).toBeUndefined()
  })

  test('64 levels', () => {
    expect(findUnstorable(nested(LIMITS.depth))).toBeUndefined()
  })
})

describe('what cannot be stored is named with its place and what to do', () => {
  test('65 levels', () => {
    expect(findUnstorable(nested(LIMITS.depth + 1))).toMatch(
      /is nested more than 64 levels deep; flatten it$/,
    )
  })

  test('9,000 levels, without a crash and in a short sentence', () => {
    const found = findUnstorable(nested(9_000))
    expect(found).toMatch(/nested more than 64 levels/)
    expect(found?.length).toBeLessThan(200)
  })

  test.each([
    ['an integer beyond 2^53', { a: [1, { b: 2 ** 53 }] }, /^a\.1\.b is an integer beyond 2\^53/],
    ['a negative one', { a: -(2 ** 53) }, /^a is an integer beyond/],
    ['1e999', JSON.parse('{"a":1e999}'), /^a is a number too large/],
    ['half of a surrogate pair', { a: ['ok', '\ud83d'] }, /^a\.1 holds half of a surrogate pair/],
    ['half of one in a key', { a: { '\udca1': 1 } }, /^a\..* has a key that holds half/],
    ['under __proto__', JSON.parse('{"__proto__":{"n":9007199254740993}}'), /^__proto__\.n is an integer/],
    ['the value itself', 2 ** 60, /^The value is an integer/],
  ])('%s', (_what, value, message) => {
    expect(findUnstorable(value)).toMatch(message)
  })

  test('the first of several', () => {
    expect(findUnstorable([1, 2 ** 53, 2 ** 54])).toMatch(/^1 /)
  })
})

describe('a free object', () => {
  test('comes back as the very object it was, whatever its keys', () => {
    const value = JSON.parse('{"__proto__":{"a":1},"constructor":2}') as unknown
    expect(FreeObject.parse(value)).toBe(value)
  })

  test.each([[null], [[]], ['text'], [1], [undefined]])('is not %j', (value) => {
    expect(FreeObject.safeParse(value).success).toBe(false)
  })
})

test('content may take 262144 characters of JSON and not one character more', () => {
  const ofLength = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) })
  expect(Content.safeParse(ofLength(LIMITS.contentLength)).success).toBe(true)
  expect(Content.safeParse(ofLength(LIMITS.contentLength + 1)).error?.issues[0]?.message).toMatch(
    /POST \/files/,
  )
})
