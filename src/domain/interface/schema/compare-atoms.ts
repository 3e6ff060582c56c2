import type { Difference, Likely } from '../model.ts'
import type { Atom } from './atom.ts'
import type { Comparison } from './compare.ts'
import { constraintDifferences } from './compare-constraints.ts'
import { objectDifferences } from './compare-objects.ts'
import { valueDifferences } from './compare-values.ts'
import type { Source } from './source.ts'
import { under } from './under.ts'

/** Where two atoms of one type differ. */
export function compareAtoms(before: Atom, after: Atom, comparison: Comparison): readonly Difference[] {
  comparison.budget.spend()
  if (before.values !== null || after.values !== null) return listedDifferences(before, after)
  const own = constraintDifferences(before, after)
  if (before.type === 'array') return [...own, ...elementDifferences(before, after, comparison)]
  if (before.type === 'object') return [...own, ...objectDifferences(before, after, comparison)]
  return own
}

/** Bounds were applied to listed values when they were read; what cannot be applied may or may not matter. */
function listedDifferences(before: Atom, after: Atom): Difference[] {
  const soften = (likely: Likely): Likely => (likely === 'no' ? 'no' : 'unsure')
  const areBoth = before.values !== null && after.values !== null
  const rest = areBoth ? constraintDifferences({ ...before, ...NO_BOUNDS }, { ...after, ...NO_BOUNDS }) : []
  return [
    ...valueDifferences(before, after),
    ...rest.map((one) => ({ ...one, narrows: soften(one.narrows), widens: soften(one.widens) })),
  ]
}

const NO_BOUNDS = {
  low: null,
  high: null,
  steps: [],
  fewest: 0,
  most: Number.POSITIVE_INFINITY,
  isInteger: false,
  isUnique: false,
} satisfies Partial<Atom>

function elementDifferences(before: Atom, after: Atom, comparison: Comparison): Difference[] {
  const places = Math.max(before.first.length, after.first.length)
  const found = Array.from({ length: places }, (_, index) =>
    inside(
      `[${index}]`,
      [before.first[index] ?? before.items, after.first[index] ?? after.items],
      comparison,
    ),
  ).flat()
  return [...found, ...inside('[]', [before.items, after.items], comparison)]
}

/** `none` takes no element at all. */
function inside(
  path: string,
  [before, after]: readonly [Source | 'none', Source | 'none'],
  comparison: Comparison,
): Difference[] {
  if (before === 'none' && after === 'none') return []
  if (after === 'none') return [{ path, kind: 'element-removed', narrows: 'yes', widens: 'no' }]
  if (before === 'none') return [{ path, kind: 'element-added', narrows: 'no', widens: 'yes' }]
  return under(path, comparison.differences(before, after))
}
