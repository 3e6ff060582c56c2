import type { Json } from '../../../protocol/json/json.ts'
import { addAll } from '../add-all.ts'
import { change, unsure } from '../difference.ts'
import type { Difference, Likely } from '../model.ts'
import { ATOM_TYPES, type Atom, type AtomType, isFree, type Normal, typeWords } from './atom.ts'
import type { Comparison } from './compare.ts'
import { compareAtoms } from './compare-atoms.ts'
import { compareChoices } from './compare-choices.ts'
import { overlapDifferences } from './overlap.ts'

/** Where two normal forms differ. What could not be read is never guessed: another text there is unsure. */
export function compareNormals(before: Normal, after: Normal, comparison: Comparison): Difference[] {
  if (areOther(before.unread, after.unread))
    return [unsure('not-understood', { before: listed(before.unread), after: listed(after.unread) })]
  const found = atomDifferences(before, after, comparison)
  if (before.isExclusive || after.isExclusive)
    addAll(found, overlapDifferences(before, after, comparison, found))
  if (areOther(before.notes, after.notes))
    found.push(unsure('note-changed', { before: listed(before.notes), after: listed(after.notes) }))
  return found
}

const areOther = (before: readonly string[], after: readonly string[]): boolean =>
  before.length + after.length > 0 && before.join('\n') !== after.join('\n')

function atomDifferences(before: Normal, after: Normal, comparison: Comparison): Difference[] {
  const old = before.atoms[0]
  const now = after.atoms[0]
  const areSingle = before.atoms.length === 1 && after.atoms.length === 1
  if (areSingle && old !== undefined && now !== undefined && old.type === now.type)
    return compareAtoms(old, now, comparison)
  const found = typeDifferences(before, after, comparison)
  for (const type of ATOM_TYPES)
    if (hasType(before, type) && hasType(after, type))
      addAll(found, compareChoices(atomsOf(before, type), atomsOf(after, type), comparison))
  return found
}

const listed = (texts: readonly string[]): Json => texts.map((text) => text.slice(0, 200)).slice(0, 5)

const atomsOf = ({ atoms }: Normal, type: AtomType): readonly Atom[] =>
  atoms.filter((atom) => atom.type === type)

const hasType = ({ atoms }: Normal, type: AtomType): boolean => {
  for (const atom of atoms) if (atom.type === type) return true
  return false
}

function typeDifferences(before: Normal, after: Normal, { isText }: Comparison): Difference[] {
  if (haveSameTypes(before, after)) return []
  const lost = before.atoms.filter(({ type }) => !hasType(after, type))
  const gained = after.atoms.filter(({ type }) => !hasType(before, type))
  const isNull = ({ type }: Atom) => type === 'null'
  const takesText = isText && atomsOf(after, 'string').some(isFree)
  const found: Difference[] = []
  if (lost.some(isNull) && !takesText) found.push(change('null-removed', 'yes', 'no'))
  if (gained.some(isNull) && before.atoms.length > 0)
    found.push(change('null-added', 'no', 'yes', { tolerance: 'null' }))
  const narrows = takesText ? 'no' : likelihood(lost.filter((atom) => !isNull(atom)))
  const widens = likelihood(gained.filter((atom) => !isNull(atom)))
  if (narrows === 'no' && widens === 'no') return found
  const kind = narrows === 'no' ? 'type-added' : widens === 'no' ? 'type-removed' : 'type-changed'
  return [...found, change(kind, narrows, widens, { before: typeWords(before), after: typeWords(after) })]
}

function haveSameTypes(before: Normal, after: Normal): boolean {
  for (const { type } of before.atoms) if (!hasType(after, type)) return false
  for (const { type } of after.atoms) if (!hasType(before, type)) return false
  return true
}

/** Types that nobody wrote down were most likely not meant. */
function likelihood(atoms: readonly Atom[]): Likely {
  if (atoms.length === 0) return 'no'
  return atoms.every(({ isUnsaid }) => isUnsaid) ? 'unsure' : 'yes'
}
