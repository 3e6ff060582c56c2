import { change } from '../difference.ts'
import type { Difference } from '../model.ts'
import type { Atom, Normal } from './atom.ts'
import type { Comparison } from './compare.ts'
import type { Normaliser } from './normalise.ts'

/**
 * `oneOf` refuses what fits two of its branches. So a branch that takes more can take something away, and one that takes
 * less can let something through; unless no value can fit two of them.
 */
export function overlapDifferences(
  before: Normal,
  after: Normal,
  comparison: Comparison,
  found: readonly Difference[],
): Difference[] {
  const isMoreOrLess = before.atoms.length !== after.atoms.length
  const grew =
    isMoreOrLess ||
    !before.isExclusive ||
    found.some(({ widens, kind }) => widens !== 'no' || QUIET.has(kind))
  const shrank =
    isMoreOrLess ||
    !after.isExclusive ||
    found.some(({ narrows, kind }) => narrows !== 'no' || QUIET.has(kind))
  const narrows = after.isExclusive && grew && hasOverlap(after, comparison.new, comparison)
  const widens = before.isExclusive && shrank && hasOverlap(before, comparison.old, comparison)
  if (!narrows && !widens) return []
  return [change('branches-overlap', narrows ? 'unsure' : 'no', widens ? 'unsure' : 'no')]
}

/** Changes that hurt nobody by themselves, but may move the place where branches meet. */
const QUIET = new Set(['property-added', 'branches-regrouped'])

function hasOverlap({ atoms }: Normal, normaliser: Normaliser, { budget }: Comparison): boolean {
  return atoms.some((atom, index) =>
    atoms.slice(index + 1).some((other) => {
      budget.spend()
      return atom.type === other.type && !areApart(atom, other, normaliser)
    }),
  )
}

function areApart(a: Atom, b: Atom, normaliser: Normaliser): boolean {
  if (haveOtherValues(a, b)) return true
  if (a.type === 'number') return isBelow(a, b) || isBelow(b, a)
  if (a.type === 'string' || a.type === 'array') return a.most < b.fewest || b.most < a.fewest
  if (a.type !== 'object') return false
  if (lacksOf(a, b) && lacksOf(b, a)) return true
  return [...a.properties].some(([name, source]) => {
    const other = b.properties.get(name)
    const isThere = a.required.has(name) || b.required.has(name) || a.tag === name
    if (other === undefined || !isThere) return false
    const [left, right] = [normaliser.normal(source), normaliser.normal(other)]
    return left.atoms.every((one) =>
      right.atoms.every((two) => one.type !== two.type || haveOtherValues(one, two)),
    )
  })
}

const haveOtherValues = (a: Atom, b: Atom): boolean =>
  a.values !== null && b.values !== null && ![...a.values.keys()].some((text) => b.values?.has(text))

const isBelow = (a: Atom, b: Atom): boolean =>
  a.high !== null &&
  b.low !== null &&
  (a.high.value < b.low.value || (a.high.value === b.low.value && (a.high.isOpen || b.low.isOpen)))

/** What is made of declared properties only cannot be the other one: that demands one more. */
const lacksOf = (a: Atom, b: Atom): boolean => [...b.required].some((name) => !a.properties.has(name))
