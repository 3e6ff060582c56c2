import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { memberOf, parseLiteral, pythonText, withoutMember } from '../../../src/protocol/json/literal-json.ts'
import { LIMITS } from '../../../src/protocol/limits.ts'

const canonical = (json: string): string => pythonText(parseLiteral(json))

describe('the canonical text, as Python writes it', () => {
  test.each([
    ['numbers stay as they were written', '[1.0, 1e-07, 1E5, -0.0, 12]', '[1.0,1e-07,1E5,-0.0,12]'],
    ['keys are sorted at every level', '{"b":{"d":1,"c":2},"a":3}', '{"a":3,"b":{"c":2,"d":1}}'],
    ['what is not ASCII is escaped', '"é日💡"', '"\\u00e9\\u65e5\\ud83d\\udca1"'],
    ['so is the last character of ASCII', '"a\u007fb"', '"a\\u007fb"'],
    [
      'control characters have their short forms',
      '"\\u0008\\u000c\\n\\r\\t\\u0001"',
      '"\\b\\f\\n\\r\\t\\u0001"',
    ],
    ['a slash is not escaped, quotes are', '"a\\/b\\"\\\\"', '"a/b\\"\\\\"'],
    ['spaces go', ' { "a" : [ 1 , true , false , null ] } ', '{"a":[1,true,false,null]}'],
    ['nothing is something', '[{},[],""]', '[{},[],""]'],
    ['of two equal keys the last one counts', '{"a":1,"a":2}', '{"a":2}'],
    ['keys that are words of the language are keys', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    // JavaScript would put the second before the first.
    [
      'keys are in order of whole characters',
      '{"\\ud83d\\ude00":1,"\\ufffd":2}',
      '{"\\ufffd":2,"\\ud83d\\ude00":1}',
    ],
    ['a key stands behind what it begins with', '{"ab":1,"a":2,"":3}', '{"":3,"a":2,"ab":1}'],
  ])('%s', (_what, json, expected) => {
    expect(canonical(json)).toBe(expected)
  })

  test('is what Python makes of the same value', () => {
    const json =
      '{"z":1e-07,"\\ud83d\\ude00":1,"\\u00e9":[true,null,1e+22,-0.0,123456789012],"a\\u007f\\b\\u0000/\\"":1.0}'
    expect(canonical(json)).toBe(
      '{"a\\u007f\\b\\u0000/\\"":1.0,"z":1e-07,"\\u00e9":[true,null,1e+22,-0.0,123456789012],"\\ud83d\\ude00":1}',
    )
  })
})

describe('what is not JSON', () => {
  test.each([
    '',
    ' ',
    '{',
    '[1',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[1,]',
    '[,1]',
    '[1 2]',
    '{a:1}',
    "'a'",
    '01',
    '1.',
    '.5',
    '+1',
    'NaN',
    'Infinity',
    'tru',
    '1 2',
    '{}{}',
    ']',
    '"a',
    '"\n"',
    '"\\x"',
    '[1]x',
  ])('%j is refused', (json) => {
    expect(() => JSON.parse(json)).toThrow(SyntaxError)
    expect(() => parseLiteral(json)).toThrow(SyntaxError)
  })

  test('so is what is nested deeper than anything is kept', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(() => parseLiteral(deep(LIMITS.depth))).not.toThrow()
    expect(() => parseLiteral(deep(LIMITS.depth + 1))).toThrow('deep')
    expect(() => parseLiteral(deep(1_000_000))).toThrow('deep')
  })
})

test('one member can be looked at, or left out', () => {
  const node = parseLiteral('{"a":1.0,"b":{"a":2}}')
  expect(pythonText(withoutMember(node, 'a'))).toBe('{"b":{"a":2}}')
  expect(memberOf(node, 'a')).toEqual({ kind: 'literal', text: '1.0' })
  expect(memberOf(parseLiteral('[1]'), 'a')).toBeUndefined()
})

describe('whatever the JSON', () => {
  const json = fc.json({ depthSize: 'medium' })

  test('the canonical text says the same, in printable ASCII, and is its own canonical text', () => {
    fc.assert(
      fc.property(json, (text) => {
        const shown = canonical(text)
        expect(JSON.parse(shown)).toEqual(JSON.parse(text))
        expect(shown).toMatch(/^[ -~]*$/)
        expect(canonical(shown)).toBe(shown)
      }),
    )
  })

  test('it is the same with spaces, and with the keys in another order', () => {
    fc.assert(
      fc.property(json, (text) => {
        const spaced = JSON.stringify(JSON.parse(text), null, 2)
        expect(canonical(spaced)).toBe(canonical(JSON.stringify(JSON.parse(text))))
        expect(canonical(JSON.stringify(reversed(JSON.parse(text))))).toBe(canonical(spaced))
      }),
    )
  })

  test('a text that was spoilt is refused exactly where JSON.parse refuses it', () => {
    const spoilt = fc
      .tuple(json, fc.nat(), fc.constantFrom('"', '{', ']', ',', '\\\\', '0', '-', 'e', ' ', ''))
      .map(
        ([text, at, piece]) => text.slice(0, at % text.length) + piece + text.slice((at % text.length) + 1),
      )
    const takes = (read: (text: string) => unknown, text: string): boolean => {
      try {
        read(text)
        return true
      } catch (error) {
        expect(error).toBeInstanceOf(SyntaxError)
        return false
      }
    }
    fc.assert(fc.property(spoilt, (text) => takes(parseLiteral, text) === takes(JSON.parse, text)))
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, reversed(inner)])
      .reverse(),
  )
}
