import type { Json } from '../../../protocol/json/json.ts'
import { MOST_KEPT } from '../judge/shown.ts'
import type { Difference, Likely } from '../model.ts'
import type { Atom } from './atom.ts'
import { fitOf } from './fits.ts'

/** Of two atoms of which at least one lists its values. */
export function valueDifferences(before: Atom, after: Atom): Difference[] {
  if (before.values !== null && after.values !== null) return listDifferences(before.values, after.values)
  if (before.values === null) return nowListed(before, after)
  return noLongerListed(before, after)
}

function listDifferences(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): Difference[] {
  const removed = missingIn(after, before)
  const added = missingIn(before, after)
  const isOther = removed.length === before.size && added.length === after.size
  const found: Difference[] = []
  if (removed.length > 0)
    found.push({
      path: '',
      kind: 'enum-value-removed',
      narrows: 'yes',
      widens: 'no',
      before: firstOf(removed),
    })
  if (added.length > 0)
    found.push({
      path: '',
      kind: 'enum-value-added',
      narrows: 'no',
      // Of what was promised nothing is left: no branch for new values can be meant for that.
      widens: isOther ? 'yes' : 'depends',
      after: firstOf(added),
      ...(isOther ? {} : { tolerance: 'new_enum_values' }),
    })
  return found
}

function nowListed(before: Atom, after: Atom): Difference[] {
  const values = [...(after.values?.values() ?? [])]
  return [
    {
      path: '',
      kind: 'enum-added',
      narrows: 'yes',
      widens: misfitOf(values, before),
      after: firstOf(values),
    },
  ]
}

function noLongerListed(before: Atom, after: Atom): Difference[] {
  const values = [...(before.values?.values() ?? [])]
  return [
    {
      path: '',
      kind: 'enum-removed',
      narrows: misfitOf(values, after),
      widens: 'depends',
      before: firstOf(values),
      tolerance: 'new_enum_values',
    },
  ]
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
