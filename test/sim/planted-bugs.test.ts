import { describe, expect, test, vi } from 'vitest'
import type * as admission from '../../src/domain/statements/admit.ts'
import type * as kinds from '../../src/domain/statements/kinds.ts'
import type { Bends } from './bends.ts'
import { PLANTED_BUGS } from './planted-bugs.ts'
import { PLANTED_CALL_BUGS } from './planted-call-bugs.ts'
import { PLANTED_HUB_BUGS } from './planted-hub-bugs.ts'
import { PLANTED_STATEMENT_BUGS } from './planted-statement-bugs.ts'
import type { PlantedBug } from './planting.ts'
import { runSeed } from './run-seed.ts'

/** Functions that a planted bug puts in the place of real ones. */
const bent = vi.hoisted((): { now: Bends } => ({ now: {} }))

vi.mock('../../src/domain/statements/admit.ts', async (original) => {
  const real = await original<typeof admission>()
  const admit: typeof real.admit = (...given) => (bent.now.admit?.(real.admit) ?? real.admit)(...given)
  return { ...real, admit }
})

vi.mock('../../src/domain/statements/kinds.ts', async (original) => {
  const real = await original<typeof kinds>()
  const placeKeyOf: typeof real.placeKeyOf = (given) =>
    (bent.now.placeKeyOf?.(real.placeKeyOf) ?? real.placeKeyOf)(given)
  return { ...real, placeKeyOf }
})

/** Tries so many stories before it is admitted that the simulation is blind for a bug. */
const SEEDS = 200

async function tellWith({ mode, sabotage, bends }: PlantedBug, seed: number): Promise<readonly string[]> {
  bent.now = bends?.() ?? {}
  const installed = bent.now.install?.()
  const { failures } = await runSeed({ seed, mode, sabotage: sabotage?.() ?? {} })
  installed?.[Symbol.dispose]()
  bent.now = {}
  return failures
}

/** What goes wrong by the bug alone. */
async function failuresBy(bug: PlantedBug, seed: number): Promise<readonly string[]> {
  const { mode, without } = bug
  if (without === undefined) return tellWith(bug, seed)
  using _ = without()
  const { failures } = await runSeed({ seed, mode })
  return failures.length > 0 ? [] : await tellWith(bug, seed)
}

describe('the simulation notices that', () => {
  const bugs = Object.entries({
    ...PLANTED_BUGS,
    ...PLANTED_CALL_BUGS,
    ...PLANTED_STATEMENT_BUGS,
    ...PLANTED_HUB_BUGS,
  })
  test.each(bugs)('%s', { timeout: 120_000 }, async (_name, bug) => {
    const { firstSeed = 1 } = bug
    let failures: readonly string[] = []
    for (let seed = firstSeed; seed < firstSeed + SEEDS && failures.length === 0; seed++)
      failures = await failuresBy(bug, seed)
    expect(failures, `${SEEDS} seeds passed with the bug in place`).not.toEqual([])
    expect(failures.join()).not.toContain('the simulation broke')
  })
})
