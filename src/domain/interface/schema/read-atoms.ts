import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { WORK } from '../budget.ts'
import { wordSet } from '../word-set.ts'
import { ANYTHING, ATOM_TYPES, type Atom, type AtomType, type Bound, freeAtom, typeOfValue } from './atom.ts'
import { closesAlone, type Extra, extrasOf } from './extras.ts'
import { fitOf } from './fits.ts'
import { isOfNumbers, normalFormat } from './format.ts'
import { normalPattern } from './pattern.ts'
import { type Draft, numberAt, type Reading, readSizes, sourceOf } from './reading.ts'
import type { Located, Source } from './source.ts'

/** The atoms of one schema by itself: without its references and without `allOf`, `anyOf` and `oneOf`. */
export function readAtoms(schema: JsonObject, reading: Reading): readonly Atom[] {
  if (saysNothing(schema)) return ANYTHING.atoms
  const types = typesOf(schema, reading)
  const values = valuesOf(schema, reading)
  const extras = extrasOf(schema, reading.document, reading.budget)
  const atoms: Atom[] = []
  for (const type of types.names) {
    if (values !== null && !hasType(values, type)) continue
    reading.budget.spend(WORK.atom)
    const atom: Draft = { ...freeAtom(type) }
    READERS[type]?.(atom, schema, reading)
    atom.isInteger = type === 'number' && (types.isInteger || schema['multipleOf'] === 1)
    atom.isExample = schema['$example'] === true
    atom.isUnsaid = types.meant !== null && types.meant !== type
    if (extras.length > 0) atom.extras = extrasFor(type, extras)
    if (typeof schema['title'] === 'string') atom.names = [schema['title']]
    if (values !== null) {
      const kept = keptValues(atom, values)
      if (kept.size === 0) continue
      atom.values = isWhole(type, kept.size) ? null : kept
    }
    atoms.push(atom)
  }
  return atoms
}

function hasType(values: ReadonlyMap<string, Json>, type: AtomType): boolean {
  for (const value of values.values()) if (typeOfValue(value) === type) return true
  return false
}

const extrasFor = (type: AtomType, extras: readonly Extra[]): Atom['extras'] =>
  new Map(
    extras
      .filter(({ of }) => of === null || of === type)
      .map(({ text, keyword }) => [text, keyword] as const),
  )

/** Whether so many values are all that a type has. */
const isWhole = (type: AtomType, count: number): boolean =>
  type === 'null' || (type === 'boolean' && count === 2)

/** Keywords that say nothing about values by themselves; those that lead elsewhere are followed by others. */
const SILENT =
  wordSet(`$ref allOf anyOf oneOf $defs definitions description default nullable readOnly writeOnly deprecated
  discriminator $schema $id $comment example examples $note components`)

function saysNothing(schema: JsonObject): boolean {
  for (const key of Object.keys(schema)) if (!SILENT.has(key)) return false
  // Without a list of parts it stands for all that consist of it.
  return schema['discriminator'] === undefined || (schema['oneOf'] ?? schema['anyOf']) !== undefined
}

/** Those that fit; mostly all of them do. */
function keptValues(atom: Atom, values: ReadonlyMap<string, Json>): ReadonlyMap<string, Json> {
  let misfits = 0
  for (const value of values.values()) if (fitOf(value, atom) === 'no') misfits++
  if (misfits === 0) return values
  const kept = new Map<string, Json>()
  for (const [text, value] of values) if (fitOf(value, atom) !== 'no') kept.set(text, value)
  return kept
}

interface Types {
  readonly names: readonly AtomType[]
  readonly isInteger: boolean
  /** The type that the other keywords speak of, where none is written. */
  readonly meant: AtomType | null
}

const ONE_TYPE = new Map<string, Types>([
  ...ATOM_TYPES.map((name): [string, Types] => [name, { names: [name], isInteger: false, meant: null }]),
  ['integer', { names: ['number'], isInteger: true, meant: null }],
])

function typesOf(schema: JsonObject, { unread }: Reading): Types {
  const type = schema['type']
  if (type === undefined) return { names: ATOM_TYPES, isInteger: false, meant: meantBy(schema) }
  const one = typeof type === 'string' ? ONE_TYPE.get(type) : undefined
  if (one !== undefined) return one
  const words = (Array.isArray(type) ? type : [type]) as readonly Json[]
  const names = new Set<AtomType>()
  for (const word of words) {
    const name = word === 'integer' ? 'number' : word
    if (ATOM_TYPES.some((known) => known === name)) names.add(name as AtomType)
    else unread.push(`type ${JSON.stringify(word)}`)
  }
  const isInteger = words.includes('integer') && !words.includes('number')
  return { names: [...names], isInteger, meant: null }
}

function meantBy(schema: JsonObject): AtomType | null {
  const has = (...keys: string[]) => keys.some((key) => Object.hasOwn(schema, key))
  if (has('properties', 'required', 'additionalProperties', 'patternProperties')) return 'object'
  if (has('items', 'prefixItems', 'minItems', 'maxItems')) return 'array'
  if (has('pattern', 'minLength', 'maxLength')) return 'string'
  if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return 'number'
  return null
}

function valuesOf(schema: JsonObject, { budget, unread }: Reading): Map<string, Json> | null {
  const listed = schema['enum']
  const only = schema['const']
  if (listed !== undefined && !Array.isArray(listed)) unread.push(`enum ${JSON.stringify(listed)}`)
  const values = Array.isArray(listed) ? (listed as readonly Json[]) : null
  if (values === null) return only === undefined ? null : new Map([[canonicalText(only), only]])
  budget.spend(values.length * WORK.value)
  const texts = new Map<string, Json>()
  for (const value of values) texts.set(canonicalText(value), value)
  if (only === undefined) return texts
  return new Map([...texts].filter(([text]) => text === canonicalText(only)))
}

/** What each type has keywords of its own for. */
const READERS: Partial<Record<AtomType, (atom: Draft, schema: JsonObject, reading: Reading) => void>> = {
  number: readNumber,
  string: readText,
  array: readArray,
  object: readObject,
}

function readNumber(atom: Draft, schema: JsonObject, reading: Reading): void {
  const isInteger = schema['type'] === 'integer'
  const step = numberAt(schema, 'multipleOf', reading)
  const format = schema['format']
  atom.low = boundOf(schema, ['minimum', 'exclusiveMinimum'], { reading, isInteger, sign: 1 })
  atom.high = boundOf(schema, ['maximum', 'exclusiveMaximum'], { reading, isInteger, sign: -1 })
  if (step !== undefined && step !== 1) atom.steps = [step]
  const own = typeof format === 'string' && isOfNumbers(format) ? normalFormat(format) : undefined
  if (own !== undefined) atom.formats = [own]
}

/** Both spellings of an exclusive bound become one, and for whole numbers the bound is the first that is allowed. */
function boundOf(
  schema: JsonObject,
  [key, exclusiveKey]: readonly [string, string],
  { reading, isInteger, sign }: { reading: Reading; isInteger: boolean; sign: 1 | -1 },
): Bound | null {
  if (schema[key] === undefined && schema[exclusiveKey] === undefined) return null
  const isOldSpelling = typeof schema[exclusiveKey] === 'boolean'
  const closed = numberAt(schema, key, reading)
  const open = isOldSpelling ? undefined : numberAt(schema, exclusiveKey, reading)
  const bounds: Bound[] = []
  if (closed !== undefined) bounds.push({ value: closed, isOpen: schema[exclusiveKey] === true })
  if (open !== undefined) bounds.push({ value: open, isOpen: true })
  const [bound] = bounds.sort((a, b) => sign * (b.value - a.value) || Number(b.isOpen) - Number(a.isOpen))
  if (bound === undefined || !isInteger) return bound ?? null
  const whole = sign === 1 ? Math.ceil(bound.value) : Math.floor(bound.value)
  return { value: bound.isOpen && whole === bound.value ? whole + sign : whole, isOpen: false }
}

function readText(atom: Draft, schema: JsonObject, reading: Reading): void {
  const { pattern, format } = schema
  readSizes(atom, schema, reading)
  const own = typeof pattern === 'string' ? normalPattern(pattern) : undefined
  if (own !== undefined) atom.patterns = [own]
  const kept = typeof format === 'string' && !isOfOtherType(format, schema) ? normalFormat(format) : undefined
  if (kept !== undefined) atom.formats = [kept]
}

/** `int32` beside text and numbers speaks of the numbers. */
function isOfOtherType(format: string, { type }: JsonObject): boolean {
  if (!isOfNumbers(format)) return false
  const types: readonly Json[] = Array.isArray(type) ? type : [type ?? null]
  return types.some((name) => name === 'integer' || name === 'number')
}

function readArray(atom: Draft, schema: JsonObject, reading: Reading): void {
  const { document } = reading
  const items = schema['items']
  const isTuple = Array.isArray(items)
  const first = isTuple ? items : schema['prefixItems']
  readSizes(atom, schema, reading)
  atom.isUnique = schema['uniqueItems'] === true
  if (Array.isArray(first))
    atom.first = (first as readonly Json[]).map((inner) => [{ schema: inner, document }])
  atom.items = sourceOf(isTuple ? schema['additionalItems'] : items, document)
}

/** What a schema says of objects. What is not part of this direction (`readOnly`, `writeOnly`) is not there. */
function readObject(atom: Draft, schema: JsonObject, reading: Reading): void {
  const { document, budget, unread, isHidden } = reading
  const declared = schema['properties']
  const properties = new Map<string, Source>()
  const hidden = new Set<string>()
  if (isJsonObject(declared)) {
    for (const name of Object.keys(declared)) {
      budget.spend()
      const property: Located = { schema: declared[name] ?? true, document }
      if (isHidden(property)) hidden.add(name)
      else properties.set(name, [property])
    }
  } else if (declared !== undefined) unread.push(`properties ${JSON.stringify(declared)}`)
  readSizes(atom, schema, reading)
  if (properties.size > 0) atom.properties = properties
  const required = requiredOf(schema, unread)
  budget.spend(required.length * WORK.value)
  if (required.length > 0) atom.required = new Set(required.filter((name) => !hidden.has(name)))
  atom.others = closesAlone(schema) ? 'none' : sourceOf(schema['additionalProperties'], document)
}

function requiredOf(schema: JsonObject, unread: string[]): string[] {
  const required = schema['required']
  if (required === undefined) return []
  const names = Array.isArray(required) ? (required as readonly Json[]) : []
  if (!Array.isArray(required) || names.some((name) => typeof name !== 'string'))
    unread.push(`required ${JSON.stringify(required)}`)
  return names.filter((name) => typeof name === 'string')
}
