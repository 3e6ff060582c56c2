import type { Difference } from '../model.ts'

/** Differences of one schema that are told each at its place. */
const MOST = 100

/** Told once each; where they are very many, the first of every sort, and that there are more. */
export function fewer(differences: readonly Difference[]): readonly Difference[] {
  if (differences.length <= 1) return differences
  const seen = new Set<string>()
  const once = differences.filter((one) => {
    const text = `${one.path} ${one.kind} ${JSON.stringify([one.before, one.after])}`
    return !seen.has(text) && seen.add(text)
  })
  if (once.length <= MOST) return once
  const sorts = new Map<string, Difference>()
  for (const one of once) {
    const sort = `${one.kind} ${one.narrows} ${one.widens}`
    if (!sorts.has(sort)) sorts.set(sort, one)
  }
  const firsts = [...sorts.values()].slice(0, MOST)
  const rest = once.filter((one) => !firsts.includes(one)).slice(0, MOST - firsts.length)
  return [...firsts, ...rest, MORE]
}

/** Nobody can say of a place that was left out that nothing changed there. */
const MORE: Difference = { path: '', kind: 'more-changes', narrows: 'unsure', widens: 'unsure' }
