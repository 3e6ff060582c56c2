import type { Json } from '../../../protocol/json/json.ts'
import { TooLarge } from '../budget.ts'
import type { Atom, Bound } from './atom.ts'
import { fitOf } from './fits.ts'
import type { Source } from './source.ts'

const NEVER: Source = [{ schema: false, document: { root: false, ignoresRefSiblings: false } }]

/** What fits both of two atoms of one type; undefined where that is certainly nothing. */
export function joinAtoms(a: Atom, b: Atom): Atom | undefined {
  const joined: Atom = {
    ...a,
    isUnsaid: a.isUnsaid || b.isUnsaid,
    isInteger: a.isInteger || b.isInteger,
    isExample: a.isExample || b.isExample,
    values: null,
    low: tighter(a.low, b.low, 1),
    high: tighter(a.high, b.high, -1),
    steps: both(a.steps, b.steps),
    fewest: Math.max(a.fewest, b.fewest),
    most: Math.min(a.most, b.most),
    patterns: both(a.patterns, b.patterns),
    formats: both(a.formats, b.formats),
    isUnique: a.isUnique || b.isUnique,
    first: joinFirst(a, b),
    items: joinSources(a.items, b.items),
    properties: joinProperties(a, b),
    required: new Set([...a.required, ...b.required]),
    others: joinSources(a.others, b.others),
    extras: new Map([...a.extras, ...b.extras]),
    names: both(a.names, b.names),
    tag: a.tag ?? b.tag,
  }
  const values = joinValues(a.values, b.values, joined)
  return values !== null && values.size === 0 ? undefined : { ...joined, values }
}

const both = <Item>(a: readonly Item[], b: readonly Item[]): readonly Item[] =>
  b.length === 0 ? a : a.length === 0 ? b : [...new Set([...a, ...b])].sort()

function joinValues(
  a: ReadonlyMap<string, Json> | null,
  b: ReadonlyMap<string, Json> | null,
  rest: Atom,
): ReadonlyMap<string, Json> | null {
  if (a === null && b === null) return null
  const common = a === null ? [...(b ?? [])] : [...a].filter(([text]) => b === null || b.has(text))
  return new Map(common.filter(([, value]) => fitOf(value, rest) !== 'no'))
}

function tighter(a: Bound | null, b: Bound | null, sign: 1 | -1): Bound | null {
  if (a === null || b === null) return a ?? b
  if (a.value === b.value) return a.isOpen ? a : b
  return sign * (a.value - b.value) > 0 ? a : b
}

/** Schemas that one place consists of; nobody writes so many. */
const MOST_JOINED = 200

export function joinSources(a: Source | 'none', b: Source | 'none'): Source | 'none' {
  if (a === 'none' || b === 'none') return 'none'
  if (a.length === 0) return b
  // The same schema twice, as it comes by several ways, says no more than once.
  const more = b.filter((one) => !a.some(({ schema }) => schema === one.schema))
  if (more.length === 0) return a
  if (a.length + more.length > MOST_JOINED) throw new TooLarge('too many schemas joined in one place')
  return [...a, ...more]
}

const orNever = (source: Source | 'none'): Source => (source === 'none' ? NEVER : source)

function joinFirst(a: Atom, b: Atom): readonly Source[] {
  const length = Math.max(a.first.length, b.first.length)
  return Array.from({ length }, (_, index) =>
    orNever(joinSources(a.first[index] ?? a.items, b.first[index] ?? b.items)),
  )
}

/** A property that only one of them declares is for the other an additional one; where that takes none, it is gone. */
function joinProperties(a: Atom, b: Atom): ReadonlyMap<string, Source> {
  if (b.properties.size === 0 && b.others !== 'none' && b.others.length === 0) return a.properties
  if (a.properties.size === 0 && a.others !== 'none' && a.others.length === 0) return b.properties
  const joined = new Map<string, Source>()
  for (const name of new Set([...a.properties.keys(), ...b.properties.keys()])) {
    const source = joinSources(a.properties.get(name) ?? a.others, b.properties.get(name) ?? b.others)
    if (source !== 'none') joined.set(name, source)
  }
  return joined
}
