import { type Atom, type AtomType, isFree, type Normal } from './atom.ts'

/**
 * Leaves of several atoms of one simple type what they say together: where one takes everything, the others say nothing,
 * and lists of values are one list. Where a value must fit one atom alone (`oneOf`), what overlaps stays as it is.
 */
export function tidied(normal: Normal): Normal {
  if (normal.unread.length + normal.notes.length === 0 && areOfOtherTypes(normal.atoms)) return normal
  const types = new Map<AtomType, Atom[]>()
  for (const atom of normal.atoms) types.set(atom.type, [...(types.get(atom.type) ?? []), atom])
  const atoms = [...types.values()].flatMap((list) => together(list, normal.isExclusive))
  return {
    ...normal,
    atoms,
    isExclusive: normal.isExclusive && atoms.length > types.size,
    unread: sorted(normal.unread),
    notes: sorted(normal.notes),
  }
}

/** Whether no two are of one type, as in most schemas. */
function areOfOtherTypes(atoms: readonly Atom[]): boolean {
  for (let index = 1; index < atoms.length; index++)
    for (let before = 0; before < index; before++)
      if (atoms[index]?.type === atoms[before]?.type) return false
  return true
}

const sorted = (texts: readonly string[]): readonly string[] => [...new Set(texts)].sort()

function together(atoms: readonly Atom[], isExclusive: boolean): readonly Atom[] {
  const [only] = atoms
  if (only === undefined || atoms.length === 1 || only.type === 'object') return atoms
  const free = isExclusive ? undefined : atoms.find(isFree)
  if (free !== undefined) return [free]
  const listed = atoms.filter(isList)
  if (listed.length < 2 || (isExclusive && !areApart(listed))) return atoms
  return [oneList(listed), ...atoms.filter((atom) => !isList(atom))]
}

/** Says nothing but which values it takes. */
const isList = ({ values, patterns, formats, extras }: Atom): boolean =>
  values !== null && patterns.length === 0 && formats.length === 0 && extras.size === 0

/** No value is in two of them; else `oneOf` would exclude it. */
function areApart(atoms: readonly Atom[]): boolean {
  const texts = atoms.flatMap(({ values }) => [...(values?.keys() ?? [])])
  return new Set(texts).size === texts.length
}

function oneList(atoms: readonly Atom[]): Atom {
  const [first] = atoms as readonly [Atom, ...Atom[]]
  const values = new Map(atoms.flatMap((atom) => [...(atom.values ?? [])]))
  return { ...first, values: first.type === 'boolean' && values.size === 2 ? null : values }
}
