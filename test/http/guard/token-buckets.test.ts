import { expect, test } from 'vitest'
import { createTokenBuckets, type TokenBuckets } from '../../../src/http/guard/token-buckets.ts'

/** Ten a second, at most five at once. */
function buckets() {
  const time = { now: 1000 }
  return { time, table: createTokenBuckets(10 / 1000, 5, () => time.now) }
}

const takeAll = (table: TokenBuckets, key: string, calls: number) =>
  Array.from({ length: calls }, () => table.take(key)).filter((wait) => wait === 0).length

test('as many as fit are let through at once, and then as fast as the bucket fills', () => {
  const { time, table } = buckets()
  expect(takeAll(table, 'a', 20)).toBe(5)
  time.now += 200
  expect(takeAll(table, 'a', 20)).toBe(2)
  time.now += 60_000
  expect(takeAll(table, 'a', 20)).toBe(5)
})

test('whoever is too fast is told how long it takes until the next one', () => {
  const { time, table } = buckets()
  takeAll(table, 'a', 5)
  expect(table.take('a')).toBeCloseTo(100)
  time.now += 40
  expect(table.take('a')).toBeCloseTo(60)
  time.now += 61
  expect(table.take('a')).toBe(0)
})

test('one caller does not use up what is another one’s', () => {
  const { table } = buckets()
  takeAll(table, 'a', 20)
  expect(takeAll(table, 'b', 20)).toBe(5)
})

test('however many callers there are, the table is bounded and does not forget who calls all the time', () => {
  const { table } = buckets()
  takeAll(table, 'busy', 5)
  let letThrough = 0
  for (let n = 0; n < 100_000; n++) {
    table.take(`address ${n}`)
    if (n % 100 === 0 && table.take('busy') === 0) letThrough++
  }
  expect(table.size).toBeLessThanOrEqual(20_001)
  expect(letThrough).toBe(0)
})
