import { describe, expect, test } from 'vitest'
import { corpus } from '../../../bench/review/corpus.ts'
import { countsOf, type Outcome, scoreOf } from '../../../bench/review/score.ts'
import { reviewPair } from '../../../src/domain/interface/review.ts'

const pairs = corpus()
const scored = scoreOf(pairs, ({ type, before, after }) => reviewPair(type, before, after).verdict)
const those = (outcome: Outcome): string[] =>
  scored
    .filter((one) => one.outcome === outcome)
    .map(({ pair, said }) => `${pair.form}: ${pair.name}: ${said} instead of ${pair.verdict}`)

describe('over the pairs that careful people have judged', () => {
  test('there are at least 300, in every form, and no two of a form have one name', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(300)
    expect(new Set(pairs.map(({ form }) => form)).size).toBe(10)
    expect(new Set(pairs.map(({ form, name }) => `${form} ${name}`)).size).toBe(pairs.length)
  })

  test('nothing is called compatible that is not, and nothing crashes', () => {
    expect(those('false OK')).toEqual([])
    expect(those('crashed')).toEqual([])
  })

  test('at least 95 of 100 verdicts are right', () => {
    expect(countsOf(scored).right / pairs.length).toBeGreaterThanOrEqual(0.95)
  })
})
