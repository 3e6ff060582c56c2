import { change } from '../difference.ts'
import type { Difference, Likely } from '../model.ts'
import type { Atom } from './atom.ts'
import type { Comparison } from './compare.ts'
import { constraintDifferences, textDifferences } from './compare-constraints.ts'
import { addObjects, type Sides } from './compare-objects.ts'
import { valueDifferences } from './compare-values.ts'
import type { Source } from './source.ts'

/** Where two atoms of one type differ. */
export function compareAtoms(before: Atom, after: Atom, comparison: Comparison): Difference[] {
  comparison.budget.spend()
  if (before.values !== null || after.values !== null) return listedDifferences(before, after)
  const found = constraintDifferences(before, after)
  if (before.type === 'array') addElements(found, { before, after, comparison })
  if (before.type === 'object') addObjects(found, { before, after, comparison })
  return found
}

/** Bounds were applied to listed values when they were read; what cannot be applied may or may not matter. */
function listedDifferences(before: Atom, after: Atom): Difference[] {
  const soften = (likely: Likely): Likely => (likely === 'no' ? 'no' : 'unsure')
  const found = valueDifferences(before, after)
  if (before.values !== null && after.values !== null)
    for (const one of textDifferences(before, after))
      found.push({ ...one, narrows: soften(one.narrows), widens: soften(one.widens) })
  return found
}

function addElements(found: Difference[], { before, after, comparison }: Sides): void {
  /** `none` takes no element at all. */
  const add = (path: string, old: Source | 'none', now: Source | 'none') => {
    if (old !== 'none' && now !== 'none') comparison.addUnder(found, path, comparison.differences(old, now))
    else if (old !== 'none') found.push(change('element-removed', 'yes', 'no', { path }))
    else if (now !== 'none') found.push(change('element-added', 'no', 'yes', { path }))
  }
  const places = Math.max(before.first.length, after.first.length)
  for (let index = 0; index < places; index++)
    add(`[${index}]`, before.first[index] ?? before.items, after.first[index] ?? after.items)
  add('[]', before.items, after.items)
}
