import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listAlignment } from '../../../src/domain/contract/align-lists.ts'
import { commonItems } from '../../../src/domain/contract/common-items.ts'
import { isSameJson } from '../../../src/protocol/json/is-same.ts'
import type { Json } from '../../../src/protocol/json/json.ts'

const align = (before: readonly Json[], after: readonly Json[], bounds?: { values: number; pairs: number }) =>
  listAlignment(bounds)
    .align(before, after)
    .map(({ before: x, after: y }) => [x, y])

describe('the items of two lists', () => {
  test('are paired in order where nothing tells them apart', () => {
    expect(align(['a', 'b', 'c'], ['a', 'x', 'c'])).toEqual([
      [0, 0],
      [1, 1],
      [2, 2],
    ])
  })

  test('are paired by what is equal, whatever the order of keys in it', () => {
    expect(align([{ a: 1, b: [2] }, 3], ['new', { b: [2], a: 1 }, 3])).toEqual([
      [undefined, 0],
      [0, 1],
      [1, 2],
    ])
  })

  test('are paired by their ids or names where all have one', () => {
    const before = [
      { name: 'id', type: 'int' },
      { name: 'email', type: 'string' },
    ]
    const after = [{ name: 'email', type: 'null' }]
    expect(align(before, after)).toEqual([
      [0, undefined],
      [1, 0],
    ])
    expect(align([{ name: 'a' }, { name: 'a' }], [{ name: 'a', x: 1 }])).toEqual([
      [0, 0],
      [1, undefined],
    ])
  })

  test('are all there, each once and in its order, however little may be looked at', () => {
    const item = fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.record({ id: fc.constantFrom(1, 2, 3) }))
    const list = fc.array(item as fc.Arbitrary<Json>, { maxLength: 12 })
    const few = fc.nat(30)
    fc.assert(
      fc.property(list, list, few, few, (before, after, values, pairs) => {
        const aligned = align(before, after, { values, pairs })
        expect(aligned.flatMap(([x]) => x ?? [])).toEqual(before.map((_, place) => place))
        expect(aligned.flatMap(([, y]) => y ?? [])).toEqual(after.map((_, place) => place))
      }),
    )
  })

  test('are told apart by all that is in them', () => {
    const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>
    fc.assert(
      fc.property(json, json, (a, b) => {
        const isPairedFirst = align([a, 'end'], ['new', b, 'end']).some(([x, y]) => x === 0 && y === 1)
        if (a !== 'new' && a !== 'end') expect(isPairedFirst).toBe(isSameJson(a, b))
      }),
    )
  })

  test('in very long lists are paired by their order, apart from what both begin and end with', () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => index)
    const begun = performance.now()
    const aligned = align(numbers, numbers.toReversed())
    expect(performance.now() - begun).toBeLessThan(5000)
    expect(aligned).toHaveLength(3000)
  })
})

test('what two lists have in common is in order in both', () => {
  expect(commonItems(['a', 'b', 'c', 'd'], ['b', 'x', 'd'], { left: 100 })).toEqual([
    [1, 0],
    [3, 2],
  ])
})
