import { expect, test } from 'vitest'
import { getOrAdd } from '../../../src/protocol/collections/get-or-add.ts'
import { RecentCache } from '../../../src/protocol/collections/recent-cache.ts'

const keys = (count: number): object[] => Array.from({ length: count }, () => ({}))

test('as much as there is room for is remembered', () => {
  const cache = new RecentCache<object, number>(3)
  const all = keys(3)
  for (const [index, key] of all.entries()) cache.set(key, index)
  expect(all.map((key) => cache.get(key))).toEqual([0, 1, 2])
})

test('what is older than twice the room is forgotten', () => {
  const cache = new RecentCache<object, number>(3)
  const all = keys(7)
  for (const [index, key] of all.entries()) cache.set(key, index)
  expect(all.map((key) => cache.get(key))).toEqual([undefined, undefined, undefined, 3, 4, 5, 6])
})

test('what takes more room displaces others sooner, and has its place however large it is', () => {
  const cache = new RecentCache<object, string>(10)
  const [small, large, huge] = keys(3) as [object, object, object]
  cache.set(small, 'small', 1)
  cache.set(large, 'large', 10)
  expect(cache.get(small)).toBe('small')
  cache.set(huge, 'huge', 1000)
  expect([small, large, huge].map((key) => cache.get(key))).toEqual([undefined, 'large', 'huge'])
})

test('what is known is not looked for again', () => {
  const cache = new RecentCache<object, number>(1)
  const key = {}
  expect(getOrAdd(cache, key, () => 1)).toBe(1)
  expect(getOrAdd(cache, key, () => 2)).toBe(1)
})
