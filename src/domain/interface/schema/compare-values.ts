import type { Json } from '../../../protocol/json/json.ts'
import type { Difference, Likely } from '../model.ts'
import type { Atom } from './atom.ts'
import { fitOf } from './fits.ts'

/** Values that are quoted in a change; the rest is counted. */
const QUOTED = 20

/** Of two atoms of which at least one lists its values. */
export function valueDifferences(before: Atom, after: Atom): Difference[] {
  if (before.values !== null && after.values !== null) return listDifferences(before.values, after.values)
  if (before.values === null) return nowListed(before, after)
  return noLongerListed(before, after)
}

function listDifferences(before: ReadonlyMap<string, Json>, after: ReadonlyMap<string, Json>): Difference[] {
  const removed = [...before].filter(([text]) => !after.has(text)).map(([, value]) => value)
  const added = [...after].filter(([text]) => !before.has(text)).map(([, value]) => value)
  const isOther = removed.length === before.size && added.length === after.size
  const found: Difference[] = []
  if (removed.length > 0)
    found.push({
      path: '',
      kind: 'enum-value-removed',
      narrows: 'yes',
      widens: 'no',
      before: quotedOf(removed),
    })
  if (added.length > 0)
    found.push({
      path: '',
      kind: 'enum-value-added',
      narrows: 'no',
      // Of what was promised nothing is left: no branch for new values can be meant for that.
      widens: isOther ? 'yes' : 'depends',
      after: quotedOf(added),
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
      after: quotedOf(values),
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
      before: quotedOf(values),
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

/** Sorted, so that the order in which they were written tells nothing. */
function quotedOf(values: readonly Json[]): Json {
  const sorted = values.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const more = sorted.length - QUOTED
  return more > 0 ? [...sorted.slice(0, QUOTED), `and ${more} more`] : sorted
}
