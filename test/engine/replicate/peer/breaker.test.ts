import { describe, expect, test } from 'vitest'
import { BREAKER_RULES, type Breaker, createBreaker } from '../../../../src/engine/replicate/peer/breaker.ts'

/** What a breaker says to so many failures in a row. */
const waitsOf = (breaker: Breaker, chance: number, failures: number): number[] =>
  Array.from({ length: failures }, () => breaker.fail(chance))

describe('the breaker of a peer', () => {
  test.each([
    [0, [0, 1000, 2000, 4000, 60_000, 60_000]],
    [0.5, [0, 1100, 2200, 4400, 66_000, 66_000]],
    [1, [0, 1200, 2400, 4800, 72_000, 72_000]],
  ])('waits longer after each failure, and with chance %d adds its share of a fifth', (chance, waits) => {
    expect(waitsOf(createBreaker(BREAKER_RULES), chance, 6)).toEqual(waits)
  })

  test('opens with the fifth failure in a row, and stays open', () => {
    const breaker = createBreaker(BREAKER_RULES)
    waitsOf(breaker, 0, 4)
    expect(breaker).toMatchObject({ isOpen: false, failures: 4 })
    breaker.fail(0)
    expect(breaker).toMatchObject({ isOpen: true, failures: 5 })
    breaker.fail(0)
    expect(breaker.isOpen).toBe(true)
  })

  test('closes with a success, and begins again from the shortest wait', () => {
    const breaker = createBreaker(BREAKER_RULES)
    waitsOf(breaker, 0, 7)
    breaker.succeed()
    expect(breaker).toMatchObject({ isOpen: false, failures: 0 })
    expect(waitsOf(breaker, 0, 5)).toEqual([0, 1000, 2000, 4000, 60_000])
  })

  test('pauses for as long as it was told', () => {
    const breaker = createBreaker({ ...BREAKER_RULES, openAfterFailures: 1, openMillis: 5000 })
    expect(waitsOf(breaker, 1, 2)).toEqual([6000, 6000])
  })
})
