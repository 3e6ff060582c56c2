import type { Json } from '../../../protocol/json/json.ts'
import { change } from '../difference.ts'
import { MOST_KEPT } from '../judge/shown.ts'
import type { Difference, Likely } from '../model.ts'
import type { Atom } from './atom.ts'
import { fitOf } from './fits.ts'

/** Of two atoms of which at least one lists its values. */
export function valueDifferences(before: Atom, after: Atom): Difference[] {
  if (before.values !== null && after.values !== null) return listDifferences(before.values, after.values)
  const values = [...(before.values ?? after.values ?? NONE).values()]
  const told = firstOf(values)
  return before.values === null
    ? [change('enum-added', 'yes', misfitOf(values, before), { after: told })]
    : [change('enum-removed', misfitOf(values, after), 'depends', { before: told, ...NEW_VALUES })]
}

const NONE: ReadonlyMap<string, Json> = new Map()
const NEW_VALUES = { tolerance: 'new_enum_values' } as const

function listDifferences(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): Difference[] {
  const removed = missingIn(after, before)
  const added = missingIn(before, after)
  // Of what was promised nothing is left: no branch for new values can be meant for that.
  const isOther = removed.length === before.size && added.length === after.size
  const found: Difference[] = []
  if (removed.length > 0) found.push(change('enum-value-removed', 'yes', 'no', { before: firstOf(removed) }))
  if (added.length === 0) return found
  const told = { after: firstOf(added) }
  found.push(
    isOther
      ? change('enum-value-added', 'no', 'yes', told)
      : change('enum-value-added', 'no', 'depends', { ...told, ...NEW_VALUES }),
  )
  return found
}

/** Whether some of the values do not fit. */
function misfitOf(values: readonly Json[], atom: Atom): Likely {
  const fits = values.map((value) => fitOf(value, atom))
  if (fits.includes('no')) return 'yes'
  return fits.includes('unsure') ? 'unsure' : 'no'
}

/** Those of the second that the first does not have. */
function missingIn(among: ReadonlyMap<string, Json>, values: ReadonlyMap<string, Json>): Json[] {
  const missing: Json[] = []
  for (const [text, value] of values) if (!among.has(text)) missing.push(value)
  return missing
}

/** Sorted, for the order in which they were written tells nothing; of very many the first, and how many they are. */
function firstOf(values: readonly Json[]): Json {
  if (values.length <= 1) return values
  const sorted = values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  return sorted.length > MOST_KEPT ? [...sorted.slice(0, MOST_KEPT), sorted.length] : sorted
}
