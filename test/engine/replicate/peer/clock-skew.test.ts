import { describe, expect, test } from 'vitest'
import { clockSkew } from '../../../../src/engine/replicate/peer/clock-skew.ts'
import { stampOfMillis } from '../../../../src/protocol/stamp.ts'

const at = (millis: number) => stampOfMillis(1_800_000_000_000 + millis)

describe('the clock of a peer', () => {
  test.each([
    {
      name: 'that goes like ours, asked across the end of a second',
      asked: 900,
      theirs: 1000,
      answered: 1100,
      skew: 0,
    },
    {
      name: 'that goes like ours, where the answer took long',
      asked: 0,
      theirs: 1000,
      answered: 2000,
      skew: 0,
    },
    { name: 'that is ahead', asked: 0, theirs: 7400, answered: 0, skew: 7 },
    { name: 'that is behind', asked: 0, theirs: -7600, answered: 0, skew: -8 },
  ])('$name: $skew s', ({ asked, theirs, answered, skew }) => {
    expect(clockSkew(at(theirs), { asked: at(asked), answered: at(answered) })).toBe(skew)
  })

  test('that is no clock is not known', () => {
    expect(clockSkew('soon', { asked: at(0), answered: at(0) })).toBeNull()
  })
})
