import type { Verdict } from '../../src/domain/interface/model.ts'
import type { Pair } from './corpus.ts'

/** What became of a pair. A false OK is the worst, then a crash, then a false alarm, then an answer that is open. */
export type Outcome = 'right' | 'unknown' | 'false alarm' | 'crashed' | 'false OK'

export interface Scored {
  readonly pair: Pair
  readonly outcome: Outcome
  readonly said: Verdict | null
}

/** Judges every pair with a judge, which may throw. */
export function scoreOf(pairs: readonly Pair[], judge: (pair: Pair) => Verdict): readonly Scored[] {
  return pairs.map((pair) => {
    const said = verdictOf(pair, judge)
    return { pair, said, outcome: outcomeOf(pair.verdict, said) }
  })
}

function verdictOf(pair: Pair, judge: (pair: Pair) => Verdict): Verdict | null {
  try {
    return judge(pair)
  } catch {
    return null
  }
}

/** Null: it gave no answer. */
export function outcomeOf(expected: Verdict, said: Verdict | null): Outcome {
  if (said === null) return 'crashed'
  if (said === expected) return 'right'
  if (said === 'compatible') return 'false OK'
  return said === 'breaking' ? 'false alarm' : 'unknown'
}

export function countsOf(scored: readonly Pick<Scored, 'outcome'>[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = {
    right: 0,
    unknown: 0,
    'false alarm': 0,
    crashed: 0,
    'false OK': 0,
  }
  for (const { outcome } of scored) counts[outcome]++
  return counts
}
