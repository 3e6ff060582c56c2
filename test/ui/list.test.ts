import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { firstPage, withFresh, withNext } from '../../src/ui/list/pages.ts'
import { windowOf } from '../../src/ui/list/window.ts'

describe('the window of a long list', () => {
  const seen = fc.record({
    count: fc.nat(100_000),
    rowHeight: fc.integer({ min: 20, max: 120 }),
    above: fc.integer({ min: -2000, max: 12_000_000 }),
    viewHeight: fc.integer({ min: 200, max: 2200 }),
  })

  test('keeps the height of the whole list, whatever is in view', () => {
    fc.assert(
      fc.property(seen, (given) => {
        const { first, end, before, after } = windowOf(given)
        expect(before + (end - first) * given.rowHeight + after).toBe(given.count * given.rowHeight)
        expect(first).toBeGreaterThanOrEqual(0)
        expect(end).toBeLessThanOrEqual(given.count)
      }),
    )
  })

  test('has every row that is in view', () => {
    fc.assert(
      fc.property(seen, (given) => {
        const { count, rowHeight, above, viewHeight } = given
        const { first, end } = windowOf(given)
        const [top, bottom] = [Math.floor(above / rowHeight), Math.ceil((above + viewHeight) / rowHeight)]
        for (const row of [top, bottom - 1]) {
          if (row < 0 || row >= count) continue
          expect(first).toBeLessThanOrEqual(row)
          expect(end).toBeGreaterThan(row)
        }
      }),
    )
  })

  test('has fewer than 200 rows on any screen', () => {
    fc.assert(
      fc.property(seen, (given) => {
        const { first, end } = windowOf(given)
        expect(end - first).toBeLessThan(200)
      }),
    )
  })
})

describe('a list that is loaded page by page', () => {
  interface Row {
    id: string
    version: number
  }
  const row = (id: string, version = 1): Row => ({ id, version })
  const idOf = ({ id }: Row) => id
  const listed = firstPage({ rows: [row('a'), row('b')], next: 'b' })

  test('changes rows in their place, and counts those that are new', () => {
    const fresh = { rows: [row('c'), row('b', 2), row('a')], next: 'a' }
    expect(withFresh(listed, fresh, idOf)).toEqual({ rows: [row('a'), row('b', 2)], next: 'b', newer: 1 })
  })

  test('shows what comes at once where there was nothing to read', () => {
    const fresh = { rows: [row('c')], next: undefined }
    expect(withFresh(firstPage({ rows: [], next: undefined }), fresh, idOf)).toEqual({ ...fresh, newer: 0 })
  })

  test('goes on with its next page, without what it has', () => {
    const more = withNext(listed, { rows: [row('b'), row('d')], next: undefined }, idOf)
    expect(more).toEqual({ rows: [row('a'), row('b'), row('d')], next: undefined, newer: 0 })
  })
})
