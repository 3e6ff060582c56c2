import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serializeLocal } from '../../../../src/io/store/journal/entry.ts'
import { type Item, SortedTable } from '../../../../src/io/store/tables/sorted-table.ts'

const { entry } = serializeLocal({ table: 'peer', id: 'any', value: null })
const item = (id: string, rank: string): Item<string> => ({ id, rank, value: `${id}@${rank}`, entry })

function tableOf(...items: Item<string>[]): SortedTable<string> {
  const table = new SortedTable<string>()
  for (const one of items) table.swap(table.item(one.id), one)
  return table
}

test('a table lists by rank, then by id, whatever came first', () => {
  const table = tableOf(item('c', '2'), item('b', '1'), item('a', '2'), item('d', '0'))
  expect([...table.oldestFirst()]).toEqual(['d@0', 'b@1', 'a@2', 'c@2'])
  expect([...table.newestFirst()]).toEqual(['c@2', 'a@2', 'b@1', 'd@0'])
})

test('a page goes on behind the id it is given, and an unknown id yields nothing', () => {
  const table = tableOf(item('a', '1'), item('b', '2'), item('c', '3'))
  expect([...table.oldestFirst('a')]).toEqual(['b@2', 'c@3'])
  expect([...table.oldestFirst('c')]).toEqual([])
  expect([...table.oldestFirst('gone')]).toEqual([])
})

test('an item whose rank changes moves to its new place', () => {
  const table = tableOf(item('a', '1'), item('b', '2'), item('c', '3'), item('a', '9'))
  expect([...table.oldestFirst()]).toEqual(['b@2', 'c@3', 'a@9'])
  expect(table.size).toBe(3)
})

test('a table is always in order, and swapping back restores it', () => {
  const step = fc.record({ id: fc.constantFrom(...'abcdef'), rank: fc.option(fc.constantFrom(...'0123')) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const table = new SortedTable<string>()
      const history: (() => void)[] = []
      for (const { id, rank } of steps) {
        const before = table.item(id)
        const after = rank === null ? undefined : item(id, rank)
        const listed = [...table.oldestFirst()]
        table.swap(before, after)
        history.push(() => {
          table.swap(after, before)
          expect([...table.oldestFirst()]).toEqual(listed)
        })
        const ranks = [...table.items()].map((one) => `${one.rank} ${one.id}`)
        expect(ranks).toEqual(ranks.toSorted())
        expect(table.size).toBe(ranks.length)
      }
      for (const back of history.toReversed()) back()
      expect(table.size).toBe(0)
    }),
  )
})
