import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { foldRows } from '../../src/ui/diff/fold.ts'
import { gather } from '../../src/ui/diff/gather.ts'
import { type DiffRow, diffRows, linesOf } from '../../src/ui/diff/rows.ts'
import { markWords } from '../../src/ui/diff/words.ts'
import { canonical, type JsonValue } from '../../src/ui/json/value.ts'

const rowsOf = (before: JsonValue, after: JsonValue): DiffRow[] => [...diffRows(before, after)]

/** The rows as one would write them: a mark, and the text of either side. */
const shown = (rows: readonly DiffRow[]): string[] =>
  rows.flatMap(({ is, before, after }) => {
    const line = (mark: string, side: typeof before) =>
      `${mark} ${'  '.repeat(side?.depth ?? 0)}${side?.text}`
    if (is === 'same') return [line(' ', after)]
    return [...(before ? [line('-', before)] : []), ...(after ? [line('+', after)] : [])]
  })

const textOf = (rows: readonly DiffRow[], side: 'before' | 'after'): string =>
  rows.flatMap((row) => row[side]?.text ?? []).join('')

describe('two documents beside each other', () => {
  test('a changed value is one row, and a new field is added between its neighbours', () => {
    expect(shown(rowsOf({ path: '/me', method: 'GET' }, { method: 'GET', name: 1, path: '/v1/me' }))).toEqual(
      ['  {', '    "method": "GET",', '+   "name": 1,', '-   "path": "/me"', '+   "path": "/v1/me"', '  }'],
    )
  })

  test('a value that becomes an object is removed and added', () => {
    expect(shown(rowsOf({ a: 1 }, { a: { b: 2 } }))).toEqual([
      '  {',
      '-   "a": 1',
      '+   "a": {',
      '+     "b": 2',
      '+   }',
      '  }',
    ])
  })

  test('an item that was put in front of a list does not change those behind it', () => {
    const rows = rowsOf(
      [
        { id: 1, x: 'a' },
        { id: 2, x: 'b' },
      ],
      [
        { id: 0, x: 'z' },
        { id: 1, x: 'a' },
        { id: 2, x: 'b' },
      ],
    )
    expect(rows.filter(({ is }) => is !== 'same').map(({ is }) => is)).toEqual(Array(4).fill('added'))
  })

  test('an item that keeps its name is changed inside', () => {
    const rows = rowsOf([{ name: 'id', type: 'int' }], [{ name: 'id', type: 'string' }])
    expect(rows.filter(({ is }) => is !== 'same').map(({ is }) => is)).toEqual(['changed'])
  })

  test('a field with the name of something that all objects inherit is a field', () => {
    expect(shown(rowsOf({}, { constructor: 1 }))).toEqual(['  {', '+   "constructor": 1', '  }'])
  })

  test('a comma alone is no difference', () => {
    expect(rowsOf({ a: 1 }, { a: 1, b: 2 }).find(({ before }) => before?.text === '"a": 1')?.is).toBe('same')
  })

  const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<JsonValue>

  test('each side is all of its document, whatever they are', () => {
    fc.assert(
      fc.property(json, json, (before, after) => {
        const rows = rowsOf(before, after)
        expect(canonical(JSON.parse(textOf(rows, 'before')) as JsonValue)).toBe(canonical(before))
        expect(canonical(JSON.parse(textOf(rows, 'after')) as JsonValue)).toBe(canonical(after))
      }),
    )
  })

  test('a document does not differ from itself', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(rowsOf(value, structuredClone(value)).every(({ is }) => is === 'same')).toBe(true)
      }),
    )
  })

  test('the lines of one document are its text', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = [...linesOf({ value, label: '', comma: '' }, 0)].map((line) => line.text).join('')
        expect(canonical(JSON.parse(text) as JsonValue)).toBe(canonical(value))
      }),
    )
  })
})

describe('folding', () => {
  const same = (count: number): DiffRow[] => Array.from({ length: count }, () => ({ is: 'same' }))

  test('shows three rows around a difference, and folds the others', () => {
    const stretches = foldRows([...same(10), { is: 'changed' }, ...same(10)])
    expect(stretches.map(({ isFolded, rows }) => [isFolded, rows.length])).toEqual([
      [true, 7],
      [false, 7],
      [true, 7],
    ])
  })

  test('folds no single row', () => {
    const stretches = foldRows([...same(4), { is: 'changed' }])
    expect(stretches.every(({ isFolded }) => !isFolded)).toBe(true)
  })
})

describe('the words of a changed line', () => {
  test('are marked where they differ', () => {
    const [before, after] = markWords('"path": "/users/me"', '"path": "/api/v1/users/me"')
    expect(before.filter(({ isChanged }) => isChanged)).toEqual([])
    expect(after.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual(['api/v1/'])
  })

  test('make up the line again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const [a, b] = markWords(before, after)
        expect(a.map(({ text }) => text).join('')).toBe(before)
        expect(b.map(({ text }) => text).join('')).toBe(after)
      }),
    )
  })

  test('of a long line are not looked for', () => {
    expect(markWords('a'.repeat(3000), 'b')).toEqual([
      [{ text: 'a'.repeat(3000), isChanged: true }],
      [{ text: 'b', isChanged: true }],
    ])
  })
})

describe('a long computation', () => {
  const pace = (over: Partial<Parameters<typeof gather>[1]> = {}) => {
    let time = 0
    return { budget: 2000, most: 100_000, now: () => (time += 1), pause: async () => {}, ...over }
  }
  const numbers = (count: number) => Array.from({ length: count }, (_, at) => at)

  test('is gathered whole, and lets the page do other things meanwhile', async () => {
    let pauses = 0
    const pause = async () => {
      pauses++
    }
    const { items, isCut } = await gather(numbers(5000), pace({ pause }))
    expect([items.length, isCut]).toEqual([5000, false])
    expect(pauses).toBeGreaterThan(3)
  })

  test('is cut when its time is over, when it is too long, and when nobody wants it any more', async () => {
    expect((await gather(numbers(5000), pace({ budget: 10 }))).isCut).toBe(true)
    expect((await gather(numbers(5000), pace({ most: 128 }))).items).toHaveLength(128)
    expect((await gather(numbers(5000), pace({ isCancelled: () => true }))).items).toHaveLength(64)
  })
})
