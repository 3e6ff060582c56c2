import { describe, expect, test } from 'vitest'
import { type Checkpoint, reachedAt, upTo, withCheckpoint } from '../../../src/domain/feed/checkpoint.ts'
import { at } from '../builders.ts'

const many = (count: number): readonly Checkpoint[] =>
  Array.from({ length: count }, (_, n) => ({ seq: 10 * (n + 1), at: at(n + 1) })).reduce<
    readonly Checkpoint[]
  >(withCheckpoint, [])

describe('when a peer had what', () => {
  test('is known to the point while there are few', () => {
    const known = many(20)
    expect(reachedAt(known, 10)).toBe(at(1))
    expect(reachedAt(known, 11)).toBe(at(2))
    expect(reachedAt(known, 201)).toBeUndefined()
  })

  test('is never told too early, and takes no more room however many there are', () => {
    const known = many(10_000)
    expect(known.length).toBeLessThanOrEqual(64)
    for (const seq of [5, 777, 50_000, 99_990]) {
      const told = reachedAt(known, seq)
      expect(told !== undefined && told >= at(Math.ceil(seq / 10)), `${seq} at ${told}`).toBe(true)
    }
    expect(reachedAt(known, 99_990)).toBe(at(9999))
  })

  test('is forgotten where the peer was set back', () => {
    expect(reachedAt(upTo(many(20), 100), 101)).toBeUndefined()
    expect(withCheckpoint(many(3), { seq: 20, at: at(9) })).toEqual([
      { seq: 10, at: at(1) },
      { seq: 20, at: at(9) },
    ])
  })
})
