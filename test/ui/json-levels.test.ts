import { describe, expect, test } from 'vitest'
import { levelsWithin } from '../../src/ui/json/summary.ts'

describe('a document is open', () => {
  test('to its depth while it is small', () => {
    expect(levelsWithin({ a: { b: { c: 1 } }, d: [1, 2] }, 100)).toBe(4)
  })

  test('to the level that still has room', () => {
    const inner = Object.fromEntries(Array.from({ length: 30 }, (_, number) => [`field ${number}`, number]))
    expect(levelsWithin({ a: inner, b: inner }, 100)).toBe(3)
    expect(levelsWithin({ a: inner, b: inner, c: inner, d: inner }, 100)).toBe(1)
  })

  test('at its first level in any case, of which the page shows a part', () => {
    expect(levelsWithin(Array.from({ length: 5000 }, String), 100)).toBe(1)
  })
})
