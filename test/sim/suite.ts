import { describe, expect, test } from 'vitest'
import { runSeed } from './run-seed.ts'
import type { Mode } from './world.ts'

const SEEDS = 100
const CASE = 50

/** The stories that every test run tells; `npm run sim` tells more. */
export function simulate(mode: Mode): void {
  describe(`daemons end up equal and lose nothing (${mode})`, () => {
    for (let from = 1; from <= SEEDS; from += CASE) {
      test(`seeds ${from} to ${from + CASE - 1}`, { timeout: 300_000 }, async () => {
        for (let seed = from; seed < from + CASE; seed++) {
          const { failures } = await runSeed({ seed, mode })
          expect(failures, `replay: npm run sim -- --mode ${mode} --seed ${seed} --trace`).toEqual([])
        }
      })
    }
  })
}
