import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serializeLocal } from '../../../../src/io/store/journal/entry.ts'
import { type Item, SortedShelf } from '../../../../src/io/store/tables/shelf.ts'

const { entry } = serializeLocal({ table: 'peer', id: 'any', value: null })
const item = (id: string, rank: string): Item<string> => ({ id, rank, value: `${id}@${rank}`, entry })

function shelfOf(...items: Item<string>[]): SortedShelf<string> {
  const shelf = new SortedShelf<string>()
  for (const one of items) shelf.swap(shelf.item(one.id), one)
  return shelf
}

test('a shelf lists by rank, then by id, whatever came first', () => {
  const shelf = shelfOf(item('c', '2'), item('b', '1'), item('a', '2'), item('d', '0'))
  expect([...shelf.oldestFirst()]).toEqual(['d@0', 'b@1', 'a@2', 'c@2'])
  expect([...shelf.newestFirst()]).toEqual(['c@2', 'a@2', 'b@1', 'd@0'])
})

test('a page goes on behind the id it is given, and an unknown id yields nothing', () => {
  const shelf = shelfOf(item('a', '1'), item('b', '2'), item('c', '3'))
  expect([...shelf.oldestFirst('a')]).toEqual(['b@2', 'c@3'])
  expect([...shelf.oldestFirst('c')]).toEqual([])
  expect([...shelf.oldestFirst('gone')]).toEqual([])
})

test('an item whose rank changes moves to its new place', () => {
  const shelf = shelfOf(item('a', '1'), item('b', '2'), item('c', '3'), item('a', '9'))
  expect([...shelf.oldestFirst()]).toEqual(['b@2', 'c@3', 'a@9'])
  expect(shelf.size).toBe(3)
})

test('a shelf is always in order, and swapping back restores it', () => {
  const step = fc.record({ id: fc.constantFrom(...'abcdef'), rank: fc.option(fc.constantFrom(...'0123')) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const shelf = new SortedShelf<string>()
      const history: (() => void)[] = []
      for (const { id, rank } of steps) {
        const before = shelf.item(id)
        const after = rank === null ? undefined : item(id, rank)
        const listed = [...shelf.oldestFirst()]
        shelf.swap(before, after)
        history.push(() => {
          shelf.swap(after, before)
          expect([...shelf.oldestFirst()]).toEqual(listed)
        })
        const ranks = [...shelf.items()].map((one) => `${one.rank} ${one.id}`)
        expect(ranks).toEqual(ranks.toSorted())
        expect(shelf.size).toBe(ranks.length)
      }
      for (const back of history.toReversed()) back()
      expect(shelf.size).toBe(0)
    }),
  )
})
