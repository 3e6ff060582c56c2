import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutAt, oneLine, plainJson, quoted, shortened } from '../../../src/domain/names/quoted.ts'

describe('what others wrote, between quotes', () => {
  test.each([
    { what: 'plain text', text: 'Is it JSON?', quote: '«Is it JSON?»' },
    { what: 'lines', text: 'one\ntwo\r\n\tthree\u2028four\u0085five', quote: '«one two three four five»' },
    { what: 'the closing quote', text: 'a» b «c', quote: '«a" b "c»' },
    { what: 'look-alikes of the quotes', text: '》⟫≫ «', quote: '«""" "»' },
    { what: 'colours of a terminal', text: '\u001b[31mred\u001b[0m', quote: '«[31mred [0m»' },
    { what: 'another writing direction', text: 'a\u202eb\u2066c\u200fd', quote: '«abcd»' },
    { what: 'tags that nobody sees', text: 'hi\u{e0049}\u{e0067}\u{e006e}', quote: '«hi»' },
    { what: 'variations and joiners', text: 'a\ufe0f\u200d\u{e0100}b\u3164', quote: '«ab»' },
    { what: 'half a character', text: 'a\ud83d', quote: '«a\ufffd»' },
    { what: 'a mark that would sit on the quote', text: '\u0338\u0301a', quote: '«a»' },
    { what: 'nothing at all', text: '\u0000\n', quote: '«»' },
  ])('$what', ({ text, quote }) => {
    expect(quoted(text, 100)).toBe(quote)
  })

  test('are never longer than there is room, and say where they were cut', () => {
    expect(quoted('abcdefghij', 12)).toBe('«abcdefghij»')
    expect(quoted('abcdefghij', 11)).toBe('«abcdefgh…»')
  })

  test('whatever the text, stay on one line and inside of one pair of quotes', () => {
    const hostile = fc.string({
      unit: fc.constantFrom(...'«»《\n\r\u001b\u202e\u200d\u0301\ud83d\udc69😀a `#*'.split(''), '👩‍👩‍👧'),
      maxLength: 60,
    })
    fc.assert(
      fc.property(
        fc.oneof(hostile, fc.string({ unit: 'binary' })),
        fc.integer({ min: 4, max: 50 }),
        (text, most) => {
          const quote = quoted(text, most)
          expect(quote.length).toBeLessThanOrEqual(most)
          expect(quote).toMatch(/^«[^«»《》\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*»$/u)
          expect(quote.isWellFormed()).toBe(true)
        },
      ),
    )
  })
})

describe('JSON for a reader', () => {
  test('writes out what is not seen, and the breaks of lines that are left', () => {
    expect(plainJson({ a: 'hi\u{e0049}\u202e\u2028\u0085' })).toBe(
      String.raw`{"a":"hi\udb40\udc49\u202e\u2028\u0085"}`,
    )
    expect(plainJson(undefined)).toBe('null')
  })

  test('whatever is in it, stays on one line and says the same', () => {
    const value = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(value, (given) => {
        const text = plainJson(given)
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(given)))
      }),
    )
  })
})

describe('a cut', () => {
  test.each([
    { text: 'abc', most: 3, cut: 'abc' },
    { text: 'abcd', most: 3, cut: 'abc' },
    { text: 'ab😀c', most: 3, cut: 'ab' },
    { text: 'abe\u0301d', most: 3, cut: 'ab' },
    { text: 'a👩\u200d👧b', most: 4, cut: 'a' },
    { text: `ab${'\u0301'.repeat(40)}`, most: 30, cut: `ab${'\u0301'.repeat(28)}` },
    { text: '😀😀', most: 1, cut: '' },
  ])('of $text at $most leaves whole characters', ({ text, most, cut }) => {
    expect(cutAt(text, most)).toBe(cut)
  })

  test('is shown', () => {
    expect(shortened('one two three', 9)).toBe('one two…')
    expect(shortened('one two', 7)).toBe('one two')
  })
})

test('a line has neither breaks nor anything that is not seen', () => {
  expect(oneLine(' a\u00a0\u3000b\u200b\n\n c ')).toBe('a b c')
})
