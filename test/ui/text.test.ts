import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pieces, visibleText } from '../../src/ui/text/hidden.ts'
import { type Block, type Inline, readInline, readText } from '../../src/ui/text/reader.ts'
import { ago, span } from '../../src/ui/text/time.ts'

describe('characters that nobody would see', () => {
  test.each([
    ['a\u202Etxt.exe', 'a[U+202E]txt.exe'],
    ['zero\u200Bwidth', 'zero[U+200B]width'],
    ['bell\u0007', 'bell[U+0007]'],
    ['tag\u{E0041}', 'tag[U+E0041]'],
    ['line\nbreak', 'line[U+000A]break'],
    ['lone \uD800 surrogate', 'lone \uFFFD surrogate'],
    ['naïve 中文 العربية', 'naïve 中文 العربية'],
  ])('of %j are named', (text, visible) => {
    expect(visibleText(text)).toBe(visible)
  })

  test('are told by name where they deceive', () => {
    expect(pieces('\u202E')).toEqual([{ hidden: 'U+202E', name: 'right-to-left override' }])
  })

  test('do not get lost, and neither does anything else', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff })), (codes) => {
        const text = String.fromCodePoint(...codes)
        const found = pieces(text)
        const back = found.map((piece) =>
          'text' in piece ? piece.text : String.fromCodePoint(Number.parseInt(piece.hidden.slice(2), 16)),
        )
        expect(back.join('')).toBe(text.toWellFormed())
      }),
    )
  })
})

const textIn = (parts: readonly Inline[]): string => parts.map(({ text }) => text).join('')
const kinds = (blocks: readonly Block[]): string[] => blocks.map(({ is }) => is)

describe('text of others', () => {
  test('is read as paragraphs, lists and code', () => {
    const blocks = readText('One\nline\n\n- a\n- b\n\n1. c\n\n```js\n<b>x</b>\n\n- no item\n```\nafter')
    expect(kinds(blocks)).toEqual(['paragraph', 'list', 'list', 'code', 'paragraph'])
    expect(blocks[3]).toEqual({ is: 'code', text: '<b>x</b>\n\n- no item' })
  })

  test('has its links as text, without what ends the sentence', () => {
    expect(readInline('see https://a.example/x?y=1, or (http://b.example).')).toEqual([
      { is: 'text', text: 'see ' },
      { is: 'link', text: 'https://a.example/x?y=1' },
      { is: 'text', text: ', or (' },
      { is: 'link', text: 'http://b.example' },
      { is: 'text', text: ').' },
    ])
  })

  test.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://a.example', '//a.example'])(
    '%j is no link',
    (text) => {
      expect(readInline(text).every(({ is }) => is !== 'link')).toBe(true)
    },
  )

  test('between backticks is code, and a backtick that is left open is itself', () => {
    expect(readInline('a `b` c')).toContainEqual({ is: 'code', text: 'b' })
    expect(textIn(readInline('a `b'))).toBe('a `b')
  })

  test('makes nothing of markup', () => {
    expect(readText('<img src=x onerror=alert(1)> **a** [b](javascript:x)')).toEqual([
      {
        is: 'paragraph',
        lines: [[{ is: 'text', text: '<img src=x onerror=alert(1)> **a** [b](javascript:x)' }]],
      },
    ])
  })

  test.each([
    ['emphasis', '_a__'.repeat(5000)],
    ['quotes', '>'.repeat(20_000)],
    ['brackets', '['.repeat(20_000)],
    ['backticks', '`'.repeat(20_000)],
    ['fences', '```\n'.repeat(5000)],
    ['links', 'http://'.repeat(3000)],
    ['numbers', '1. '.repeat(7000)],
    ['spaces', ' '.repeat(20_000)],
  ])('that is made to take long does not: %s', (_, text) => {
    const begun = performance.now()
    readText(text)
    expect(performance.now() - begun).toBeLessThan(1000)
  })
})

describe('times', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  test.each([
    [0, 'just now'],
    [59_000, 'just now'],
    [60_000, '1 min ago'],
    [59 * 60_000, '59 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [50 * 3_600_000, '2 d ago'],
    [-5000, 'just now'],
  ])('%d ms are %j', (millis, words) => {
    expect(ago(now - millis, now)).toBe(words)
  })

  test('are short where there is no room', () => {
    expect(span(90_000)).toBe('1 min')
  })
})
