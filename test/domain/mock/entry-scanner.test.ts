import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { EntryScanner } from '../../../src/domain/mock/entry-scanner.ts'

const scan = (text: string, cut: number, longest = 1000) => {
  const scanner = new EntryScanner(longest)
  const found: string[] = []
  for (let index = 0; index < text.length; index += cut)
    found.push(...scanner.push(text.slice(index, index + cut)))
  return { found, isWhole: scanner.isWhole, skipped: scanner.skipped }
}

describe('the entries of a HAR', () => {
  test('are found whatever they contain and wherever the text is cut', () => {
    const entry = fc.record({ a: fc.json(), 'x"{[': fc.string(), list: fc.array(fc.jsonValue()) })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 4 }), fc.integer({ min: 1, max: 30 }), (entries, cut) => {
        const log = {
          comment: 'entries: [{"a": 1}] \\',
          pages: [{ entries: [{ b: 2 }] }],
          entries,
          after: [{ c: 3 }],
        }
        const { found, isWhole } = scan(JSON.stringify({ other: { entries: [{}] }, log }), cut, 1e6)
        expect(found.map((text) => JSON.parse(text))).toEqual(JSON.parse(JSON.stringify(entries)))
        expect(isWhole).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('that are longer than anybody looks at are counted and left out', () => {
    const text = JSON.stringify({ log: { entries: [{ a: 1 }, { b: 'x'.repeat(2000) }, { c: 3 }] } })
    expect(scan(text, 64)).toEqual({ found: ['{"a":1}', '{"c":3}'], isWhole: true, skipped: 1 })
  })

  test.each(['', '{}', '[]', '{"log":{}}', '{"log":{"entries":[{"a":1}', '{"entries":[]}'])(
    'are not all there in %j',
    (text) => {
      expect(scan(text, 5).isWhole).toBe(false)
    },
  )
})
