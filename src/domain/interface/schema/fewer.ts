import type { Json } from '../../../protocol/json/json.ts'
import type { Difference } from '../model.ts'

/** Differences of one schema that are told each at its place. */
const MOST = 100

/** Equal for what is the same difference at the same place. */
export const identityOf = ({ path, kind, before, after }: Difference): string =>
  `${path}\n${kind} ${textOf(before)} ${textOf(after)}`

const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Told once each; where they are very many, the first of every sort, and that there are more. */
export function fewer(differences: readonly Difference[]): readonly Difference[] {
  if (differences.length <= 1) return differences
  const seen = new Set<string>()
  const once = differences.filter((one) => {
    const { size } = seen
    seen.add(identityOf(one))
    return seen.size > size
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
