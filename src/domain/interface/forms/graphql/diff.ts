import { change, type Tell, type Telling } from '../../difference.ts'
import type { Difference, Sender } from '../../model.ts'
import {
  type GraphqlField,
  type GraphqlSchema,
  type GraphqlType,
  type GraphqlValue,
  namedIn,
  type TypeRef,
  typeText,
} from './schema.ts'

/**
 * Changes of an SDL text. Queries are what consumers send: what is gone from the schema makes them invalid. What comes
 * back may become wider; enums are judged by whether they are read or written.
 */
export function diffGraphql(before: GraphqlSchema, after: GraphqlSchema, { tell, budget }: Telling): void {
  const uses = { old: usesOf(before), now: usesOf(after) }
  for (const [name, old] of before.types) {
    budget.spend()
    const now = after.types.get(name)
    if (now === undefined)
      tell(change('definition-removed', 'yes', 'no', { before: old.kind }), name, 'consumer')
    else if (now.kind !== old.kind)
      tell(change('type-changed', 'yes', 'yes', { before: old.kind, after: now.kind }), name, 'both')
    else diffType(name, [old, now], { tell, budget, sender: senderOf(name, uses.old, uses.now) })
  }
  for (const [name, now] of after.types)
    if (!before.types.has(name))
      tell(change('definition-added', 'no', 'yes', { after: now.kind }), name, 'consumer')
  for (const [name, text] of before.directives) {
    const texts = { before: text, after: after.directives.get(name) ?? null }
    if (texts.after !== text) tell(change('directive-changed', 'unsure', 'no', texts), `@${name}`, 'consumer')
  }
}

interface Uses {
  readonly read: ReadonlySet<string>
  readonly written: ReadonlySet<string>
}

function usesOf({ types }: GraphqlSchema): Uses {
  const [read, written] = [new Set<string>(), new Set<string>()]
  for (const { kind, fields } of types.values())
    for (const { type, args } of fields.values()) {
      ;(kind === 'input' ? written : read).add(namedIn(type))
      for (const arg of args.values()) written.add(namedIn(arg.type))
    }
  return { read, written }
}

function senderOf(name: string, ...uses: readonly Uses[]): Sender {
  const isRead = uses.some(({ read }) => read.has(name))
  const isWritten = uses.some(({ written }) => written.has(name))
  return isRead === isWritten ? 'both' : isRead ? 'provider' : 'consumer'
}

function diffType(
  name: string,
  [old, now]: readonly [GraphqlType, GraphqlType],
  { tell, budget, sender }: Telling & { readonly sender: Sender },
): void {
  if (old.kind === 'enum') {
    diffNames('enum-value', [old.values, now.values], (found) => tell(found, name, sender))
    return
  }
  const toSides = (found: Difference) => tell(found, name, found.narrows === 'yes' ? 'consumer' : 'provider')
  diffNames('branch', [old.values, now.values], toSides)
  diffNames('interface', [old.interfaces, now.interfaces], toSides)
  if (old.kind === 'input') {
    diffInputs(name, [old.fields, now.fields], tell)
    return
  }
  for (const [field, was] of old.fields) {
    budget.spend()
    const is = now.fields.get(field)
    const at = `${name}.${field}`
    if (is === undefined)
      tell(change('property-removed', 'yes', 'no', { before: typeText(was.type) }), at, 'consumer')
    else diffField(at, [was, is], tell)
  }
  for (const [field, { type }] of now.fields)
    if (!old.fields.has(field))
      tell(change('property-added', 'no', 'yes', { after: typeText(type) }), `${name}.${field}`, 'consumer')
}

function diffField(at: string, [was, is]: readonly [GraphqlField, GraphqlField], tell: Tell): void {
  const found = typeChange(was.type, is.type)
  if (found !== undefined) tell(found, at, 'provider')
  diffInputs(at, [was.args, is.args], tell)
}

type Inputs = ReadonlyMap<string, GraphqlValue>

/** Arguments, and fields of what is sent. */
function diffInputs(at: string, [olds, news]: readonly [Inputs, Inputs], tell: Tell): void {
  for (const [name, was] of olds) {
    const is = news.get(name)
    const place = `${at}.${name}`
    if (is === undefined) {
      tell(change('property-removed', 'yes', 'no', { before: typeText(was.type) }), place, 'consumer')
      continue
    }
    const found = typeChange(was.type, is.type)
    // A required value with a default may be left out all the same.
    const isLoose = is.type.isRequired && !was.type.isRequired && is.fallback !== null
    if (found?.narrows === 'yes' && isLoose) tell({ ...found, narrows: 'depends' }, place, 'consumer')
    else if (found !== undefined) tell(found, place, 'consumer')
    const fallbacks = { before: was.fallback, after: is.fallback }
    if (was.fallback !== is.fallback)
      tell(change('default-changed', isDemanded(is) ? 'yes' : 'depends', 'no', fallbacks), place, 'consumer')
  }
  for (const [name, is] of news) {
    if (olds.has(name)) continue
    const told = { after: typeText(is.type) }
    if (isDemanded(is))
      tell(change('required-property-added', 'yes', 'yes', told), `${at}.${name}`, 'consumer')
    else tell(change('property-added', 'no', 'yes', told), `${at}.${name}`, 'consumer')
  }
}

/** Without a default, what is required cannot be left out. */
const isDemanded = ({ type, fallback }: GraphqlValue): boolean => type.isRequired && fallback === null

/** Whoever asks for what is gone misses it, and whoever reads meets what is new. */
function diffNames(
  what: 'enum-value' | 'branch' | 'interface',
  [old, now]: readonly [ReadonlySet<string>, ReadonlySet<string>],
  tell: (found: Difference) => void,
): void {
  const shown = (name: string) => (what === 'enum-value' ? [name] : name)
  for (const name of minus(old, now)) tell(change(`${what}-removed`, 'yes', 'no', { before: shown(name) }))
  for (const name of minus(now, old))
    tell(change(`${what}-added`, 'no', 'depends', { after: shown(name), tolerance: 'new_enum_values' }))
}

const minus = (one: ReadonlySet<string>, other: ReadonlySet<string>): string[] =>
  [...one].filter((name) => !other.has(name)).sort()

/** Types by name; null is what a type allows unless it says no. */
function typeChange(was: TypeRef, is: TypeRef): Difference | undefined {
  const [before, after] = [typeText(was), typeText(is)]
  if (before === after) return undefined
  if (before.replaceAll('!', '') !== after.replaceAll('!', ''))
    return change('type-changed', 'yes', 'yes', { before, after })
  const { stricter, looser } = nullness(was, is)
  return change('nullability-changed', stricter ? 'yes' : 'no', looser ? 'yes' : 'no', {
    before,
    after,
    ...(looser ? { tolerance: 'null' } : {}),
  })
}

function nullness(was: TypeRef, is: TypeRef): { stricter: boolean; looser: boolean } {
  const inner =
    'list' in was && 'list' in is ? nullness(was.list, is.list) : { stricter: false, looser: false }
  return {
    stricter: inner.stricter || (is.isRequired && !was.isRequired),
    looser: inner.looser || (was.isRequired && !is.isRequired),
  }
}
