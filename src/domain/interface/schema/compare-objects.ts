import { WORK } from '../budget.ts'
import { change } from '../difference.ts'
import type { Difference, Likely } from '../model.ts'
import { type Atom, isOpen, typeWords } from './atom.ts'
import type { Comparison } from './compare.ts'
import type { Source } from './source.ts'

/**
 * The declared contract counts: what an open object may hold beside its declared properties is nobody's. So a new
 * optional property hurts nobody, and of one that is gone it matters who sends or reads it.
 */
export function addObjects(found: Difference[], sides: Sides): void {
  const { before, after, comparison } = sides
  for (const [name, old] of before.properties) {
    const now = after.properties.get(name)
    if (now !== undefined) addProperty(found, name, sides)
    else if (after.others === 'none' || isOpen(after.others)) found.push(removed(name, sides))
    else {
      comparison.addUnder(found, `.${name}`, comparison.differences(old, after.others))
      addRequired(found, name, sides)
    }
  }
  for (const [name, now] of after.properties) {
    if (before.properties.has(name)) continue
    const isNamed = before.others !== 'none' && !isOpen(before.others)
    if (isNamed) comparison.addUnder(found, `.${name}`, comparison.differences(before.others as Source, now))
    if (!isNamed || after.required.has(name)) found.push(added(name, sides))
  }
  // Names that are required and described nowhere.
  const isDeclared = (name: string) => before.properties.has(name) || after.properties.has(name)
  for (const name of after.required) if (!isDeclared(name)) addRequired(found, name, sides)
  for (const name of before.required)
    if (!isDeclared(name) && !after.required.has(name)) addRequired(found, name, sides)
  addOthers(found, sides)
}

export interface Sides {
  readonly before: Atom
  readonly after: Atom
  readonly comparison: Comparison
}

/** One that both declare. */
function addProperty(found: Difference[], name: string, sides: Sides): void {
  const { before, after, comparison } = sides
  const old = before.properties.get(name) ?? []
  const now = after.properties.get(name) ?? []
  addRequired(found, name, sides)
  if (comparison.areSame(old, now)) return
  const path = `.${name}`
  comparison.addUnder(found, path, comparison.differences(old, now))
  if (!before.required.has(name) && !after.required.has(name))
    comparison.addUnder(found, path, comparison.defaults(old, now))
}

/** Whether it has to be there. */
function addRequired(found: Difference[], name: string, { before, after, comparison }: Sides): void {
  const is = after.required.has(name)
  if (before.required.has(name) === is) return
  comparison.budget.spend(WORK.copy)
  const path = `.${name}`
  found.push(
    is
      ? change('property-became-required', 'yes', 'no', { path })
      : change('property-became-optional', 'no', 'yes', { path, tolerance: 'missing_optional' }),
  )
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

/** What is said of properties that have no name in the schema. */
function addOthers(found: Difference[], { before, after, comparison }: Sides): void {
  const old = before.others
  const now = after.others
  if (old === 'none' || now === 'none') {
    if (old !== 'none') found.push(others('closed', isOpen(old) ? 'depends' : 'yes', 'no'))
    else if (now !== 'none') found.push(others('opened', 'no', 'depends', { tolerance: 'new_fields' }))
    return
  }
  if (isOpen(old) && isOpen(now)) return
  const inside = comparison.differences(old, now)
  if (!isOpen(old) && !isOpen(now)) comparison.addUnder(found, '.*', inside)
  else if (inside.length > 0)
    // Whoever sent undeclared properties that do not fit a new type is hurt, but nobody ever promised to take them.
    found.push(isOpen(old) ? others('typed', 'depends', 'no') : others('untyped', 'no', 'yes'))
}

const others = (
  way: 'opened' | 'closed' | 'typed' | 'untyped',
  narrows: Likely,
  widens: Likely,
  more: Partial<Difference> = {},
): Difference => change(`other-properties-${way}`, narrows, widens, { path: '.*', ...more })
