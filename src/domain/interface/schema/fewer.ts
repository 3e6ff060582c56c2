import type { Json } from '../../../protocol/json/json.ts'
import { unsure } from '../difference.ts'
import type { Difference } from '../model.ts'

/** Differences of one schema that are told each at its place. */
const MOST = 100

/** Equal for what is the same difference at the same place. */
export const identityOf = ({ path, kind, before, after }: Difference): string =>
  `${path}\n${kind} ${textOf(before)} ${textOf(after)}`

const textOf = (value: Json | undefined): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

/** Told once each: several parts of a union can differ in the same. */
export function once(differences: readonly Difference[]): readonly Difference[] {
  if (differences.length <= 1) return differences
  const seen = new Map<string, Difference>()
  for (const one of differences) {
    const identity = identityOf(one)
    if (!seen.has(identity)) seen.set(identity, one)
  }
  return seen.size === differences.length ? differences : [...seen.values()]
}

/** Where they are very many, the first of every sort, and that there are more. */
export function fewer(differences: readonly Difference[]): readonly Difference[] {
  if (differences.length <= MOST) return differences
  const sorts = new Map<string, Difference>()
  for (const one of differences) {
    const sort = `${one.kind} ${one.narrows} ${one.widens}`
    if (!sorts.has(sort)) sorts.set(sort, one)
  }
  const told = new Set([...sorts.values()].slice(0, MOST))
  for (const one of differences) {
    if (told.size >= MOST) break
    told.add(one)
  }
  return [...told, MORE]
}

/** Nobody can say of a place that was left out that nothing changed there. */
const MORE = unsure('more-changes')
