import type { Pair } from './graph.ts'
import { add, STATES, type Standing, total, worstOf } from './state.ts'

/** Two repositories that have contracts with each other. */
export interface RepoPair extends Pair {
  readonly standing: Standing
  /** When one of their contracts changed last. */
  readonly newest: string
}

/** Where several become one: each pair once, with everything that it stands for. What is within one is not seen. */
export function mergePairs(
  pairs: Iterable<Omit<RepoPair, 'id'>>,
  become: (id: string) => string,
): RepoPair[] {
  const merged = new Map<string, RepoPair>()
  for (const { standing, newest, ...pair } of pairs) {
    const [a, b] = [become(pair.a), become(pair.b)].sort() as [string, string]
    if (a === b) continue
    const id = JSON.stringify([a, b])
    const known = merged.get(id)
    merged.set(id, {
      id,
      a,
      b,
      standing: known === undefined ? standing : add(known.standing, standing),
      newest: known !== undefined && known.newest > newest ? known.newest : newest,
    })
  }
  return [...merged.values()]
}

/** Those that stall first, then those with more contracts. */
export const worstFirst = (pairs: readonly RepoPair[]): RepoPair[] =>
  [...pairs].sort(
    (a, b) =>
      STATES.indexOf(worstOf(a.standing)) - STATES.indexOf(worstOf(b.standing)) ||
      total(b.standing) - total(a.standing) ||
      (a.id < b.id ? -1 : 1),
  )
