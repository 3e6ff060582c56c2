import { describe, expect, test } from 'vitest'
import { afterExit, type ProcessExit, RESTART_RULES } from '../../../src/setup/service/restarts.ts'

const CRASH: ProcessExit = { millis: 500, hasListened: true, exitCode: 1 }
const NEW = { hasListened: false, crashes: 0 }

/** How long is waited after each crash of a row, until it is given up. */
function waitsOf(life: ProcessExit): (number | string)[] {
  const waits: (number | string)[] = []
  for (let crashes = 0; waits.length < 30; ) {
    const verdict = afterExit(life, { hasListened: true, crashes })
    if (verdict.act !== 'restart') return [...waits, verdict.act]
    waits.push(verdict.afterMillis / 1000)
    crashes = verdict.crashes
  }
  return waits
}

describe('a daemon in the background', () => {
  test('that crashes again and again is started later each time, and then no more', () => {
    expect(waitsOf(CRASH)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60, 'give up'])
    expect(waitsOf({ ...CRASH, exitCode: null, hasListened: false }).at(-1)).toBe('give up')
  })

  test('that lived long before it crashed is started after a second, however often', () => {
    expect(waitsOf({ ...CRASH, millis: RESTART_RULES.steadyMillis })).toEqual(Array(30).fill(1))
  })

  test.each([
    { life: { ...CRASH, hasListened: false, exitCode: 2 }, act: 'refused', because: 'never listened' },
    { life: { ...CRASH, exitCode: 0 }, act: 'end', because: 'was ended in order' },
    { life: { ...CRASH, exitCode: null }, act: 'restart', because: 'was killed' },
  ])('that $because: $act', ({ life, act }) => {
    expect(afterExit(life, NEW).act).toBe(act)
  })
})
