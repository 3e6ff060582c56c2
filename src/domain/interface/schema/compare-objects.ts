import { addAll } from '../add-all.ts'
import type { Difference, Likely } from '../model.ts'
import { type Atom, isOpen } from './atom.ts'
import type { Comparison } from './compare.ts'
import { defaultDifferences } from './compare-defaults.ts'
import type { Source } from './source.ts'
import { typeWords } from './type-words.ts'
import { under } from './under.ts'

/**
 * The declared contract counts: what an open object may hold beside its declared properties is nobody's. So a new
 * optional property hurts nobody, and of one that is gone it matters who sends or reads it.
 */
export function objectDifferences(before: Atom, after: Atom, comparison: Comparison): Difference[] {
  const found: Difference[] = []
  for (const [name, old] of before.properties) {
    const now = after.properties.get(name)
    const path = `.${name}`
    if (now !== undefined) addAll(found, kept(name, [old, now], { before, after, comparison }))
    else if (after.others === 'none' || isOpen(after.others))
      found.push(removed(name, { before, after, comparison }))
    else
      addAll(found, [
        ...under(path, comparison.differences(old, after.others)),
        ...noLongerRequired(name, before, after),
      ])
  }
  for (const [name, now] of after.properties) {
    if (before.properties.has(name)) continue
    const isNamed = before.others !== 'none' && !isOpen(before.others)
    if (isNamed) addAll(found, under(`.${name}`, comparison.differences(before.others as Source, now)))
    if (!isNamed || after.required.has(name)) found.push(added(name, { before, after, comparison }))
  }
  addAll(found, undeclaredRequired(before, after))
  return [...found, ...otherDifferences(before, after, comparison)]
}

interface Sides {
  readonly before: Atom
  readonly after: Atom
  readonly comparison: Comparison
}

function kept(
  name: string,
  [old, now]: readonly [Source, Source],
  { before, after, comparison }: Sides,
): Difference[] {
  const path = `.${name}`
  const found = under(path, comparison.differences(old, now))
  const [was, is] = [before.required.has(name), after.required.has(name)]
  if (!was && is) found.push({ path, kind: 'property-became-required', narrows: 'yes', widens: 'no' })
  addAll(found, noLongerRequired(name, before, after))
  if (!was && !is)
    addAll(found, under(path, defaultDifferences(comparison.old.normal(old), comparison.new.normal(now))))
  return found
}

function noLongerRequired(name: string, before: Atom, after: Atom): Difference[] {
  if (!before.required.has(name) || after.required.has(name)) return []
  return [
    {
      path: `.${name}`,
      kind: 'property-became-optional',
      narrows: 'no',
      widens: 'yes',
      tolerance: 'missing_optional',
    },
  ]
}

function removed(name: string, { before, after, comparison }: Sides): Difference {
  const source = before.properties.get(name) ?? []
  const wasRequired = before.required.has(name)
  return {
    path: `.${name}`,
    kind: 'property-removed',
    narrows: namesByPattern(after) ? 'unsure' : after.others === 'none' ? 'yes' : 'depends',
    widens: wasRequired ? 'yes' : 'depends',
    before: typeWords(comparison.old.normal(source)),
    tolerance: 'missing_optional',
  }
}

function added(name: string, { before, after, comparison }: Sides): Difference {
  const isRequired = after.required.has(name)
  const isClosed = before.others === 'none' || before.extras.size > 0
  return {
    path: `.${name}`,
    kind: isRequired ? 'required-property-added' : 'property-added',
    narrows: isRequired ? 'yes' : namesByPattern(before) ? 'unsure' : 'no',
    widens: isClosed ? 'depends' : 'no',
    after: typeWords(comparison.new.normal(after.properties.get(name) ?? [])),
    ...(isClosed ? { tolerance: 'new_fields' } : {}),
  }
}

/** Which names a pattern takes is not looked at, for patterns of others are never run. */
const namesByPattern = ({ extras }: Atom): boolean =>
  [...extras.values()].some((keyword) => keyword === 'patternProperties')

/** Names that are required and described nowhere. */
function undeclaredRequired(before: Atom, after: Atom): Difference[] {
  const isDeclared = (name: string) => before.properties.has(name) || after.properties.has(name)
  const found: Difference[] = []
  for (const name of after.required)
    if (!isDeclared(name) && !before.required.has(name))
      found.push({ path: `.${name}`, kind: 'property-became-required', narrows: 'yes', widens: 'no' })
  for (const name of before.required)
    if (!isDeclared(name)) addAll(found, noLongerRequired(name, before, after))
  return found
}

/** What is said of properties that have no name in the schema. */
function otherDifferences(before: Atom, after: Atom, comparison: Comparison): Difference[] {
  const [old, now] = [before.others, after.others]
  if (old === 'none' && now === 'none') return []
  if (old === 'none') return [others('opened', 'no', 'depends')]
  if (now === 'none') return [others('closed', isOpen(old) ? 'depends' : 'yes', 'no')]
  if (isOpen(old) && isOpen(now)) return []
  // Undeclared properties get a type: whoever sent some that fit none is hurt, but nobody ever promised to take them.
  if (isOpen(old))
    return comparison.differences(old, now).length === 0 ? [] : [others('typed', 'depends', 'no')]
  if (isOpen(now))
    return comparison.differences(old, now).length === 0 ? [] : [others('untyped', 'no', 'yes')]
  return under('.*', comparison.differences(old, now))
}

function others(way: 'opened' | 'closed' | 'typed' | 'untyped', narrows: Likely, widens: Likely): Difference {
  return {
    path: '.*',
    kind: `other-properties-${way}`,
    narrows,
    widens,
    ...(way === 'opened' ? { tolerance: 'new_fields' } : {}),
  }
}
