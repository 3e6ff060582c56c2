import { describe, expect, test } from 'vitest'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { PLANTED_CALL_BUGS } from './planted-call-bugs.ts'
import { PLANTED_RECEIPT_BUGS } from './planted-receipt-bugs.ts'
import { runSeed } from './run-seed.ts'

/** Tries so many stories before it is admitted that the simulation is blind for a bug. */
const SEEDS = 200

describe('the simulation notices that', () => {
  const bugs = Object.entries({ ...PLANTED_BUGS, ...PLANTED_CALL_BUGS, ...PLANTED_RECEIPT_BUGS })
  test.each(bugs)('%s', { timeout: 120_000 }, async (_name, { mode, sabotage }) => {
    let failures: readonly string[] = []
    for (let seed = 1; seed <= SEEDS && failures.length === 0; seed++)
      failures = (await runSeed({ seed, mode, sabotage: sabotage() })).failures
    expect(failures, `${SEEDS} seeds passed with the bug in place`).not.toEqual([])
    expect(failures.join()).not.toContain('the simulation broke')
  })
})
