import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { type Budget, TooLarge, WORK } from '../budget.ts'
import type { Sender } from '../model.ts'
import { wordSet } from '../word-set.ts'
import { ANYTHING, type Atom, freeAtom, NOTHING, type Normal, plainNormal } from './atom.ts'
import { joinAtoms } from './join.ts'
import { readAtoms } from './read-atoms.ts'
import { keyOf, type Located, nameOfRef, type Source, targetOf } from './source.ts'
import { tidied } from './tidy.ts'

/** Parts of one union that are looked at. */
const MOST_ATOMS = 128
/** Schemas that one consists of, each inside the other. */
const MOST_NESTED = 200

/** Makes normal forms of one side's schemas, each once. `sender` says which properties are part of what is sent. */
export function normaliserFor(budget: Budget, sender: Sender) {
  const ids = new Map<Json, number>()
  const idsOfMany = new Map<string, number>()
  const known = new Map<number, Normal>()
  const open = new Set<Json>()
  /** Of schemas that consist of others, but not of themselves. */
  const parts = new Map<Json, Normal>()
  /** How often a schema was met inside of itself. */
  let circles = 0
  let count = 0
  return { idOf, normal }

  /** A small number: equal for what is the same piece of the document. */
  function idOf(source: Source): number {
    const [only] = source
    if (only === undefined) return 0
    if (source.length === 1) return idOfSchema(meantBy(only))
    const each = new Set(source.map((part) => idOfSchema(meantBy(part))))
    return getOrAdd(idsOfMany, [...each].sort().join(), () => ++count)
  }

  function idOfSchema(schema: Json): number {
    return getOrAdd(ids, schema, () => ++count)
  }

  function normal(source: Source): Normal {
    const id = idOf(source)
    const found = known.get(id)
    if (found !== undefined) return found
    let all = ANYTHING
    for (const part of source) all = both(all, partIn(part))
    const made = tidied(all)
    known.set(id, made)
    return made
  }

  function partIn(part: Located): Normal {
    budget.spend()
    const { schema } = part
    if (schema === true) return ANYTHING
    if (schema === false) return NOTHING
    if (!isJsonObject(schema)) return unread(`${JSON.stringify(schema).slice(0, 200)} as a schema`)
    const found = parts.get(schema) ?? plainNormal(schema)
    if (found !== undefined) return found
    if (open.has(schema)) {
      circles++
      return unread('a schema that consists of itself')
    }
    if (open.size > MOST_NESTED) throw new TooLarge('nested too deep')
    budget.spend(WORK.schema)
    open.add(schema)
    const before = circles
    try {
      const made = objectIn(schema, part)
      // What was met inside of itself says less there than it says elsewhere.
      if (circles === before) parts.set(schema, made)
      return made
    } finally {
      open.delete(schema)
    }
  }

  function objectIn(schema: JsonObject, { document }: Located): Normal {
    const ref = schema['$ref']
    if (ref !== undefined && document.ignoresRefSiblings) return referred(ref, { schema, document })
    const missing: string[] = []
    const atoms = readAtoms(schema, { document, budget, unread: missing, isHidden })
    const word = schema['$unreadable']
    if (word !== undefined) missing.push(JSON.stringify(word))
    const note = schema['$note']
    let made: Normal = {
      atoms,
      isExclusive: false,
      unread: missing,
      notes: typeof note === 'string' ? [note] : [],
      fallback: schema['default'],
    }
    if (ref !== undefined) made = both(made, referred(ref, { schema, document }))
    for (const inner of listAt(schema, 'allOf', missing))
      made = both(made, partIn({ schema: inner, document }))
    for (const key of ['anyOf', 'oneOf'] as const) {
      const branches = listAt(schema, key, missing)
      if (branches.length > 0) made = both(made, unionOf(branches, schema, { key, document }))
    }
    return schema['nullable'] === true ? withNull(made) : made
  }

  function referred(ref: Json, { document }: Located): Normal {
    if (typeof ref !== 'string') return unread(`$ref ${JSON.stringify(ref)}`)
    const target = targetOf(ref, document)
    if (target === undefined) return unread(`$ref ${JSON.stringify(ref)}`)
    const made = partIn({ schema: target, document })
    budget.spend(made.atoms.length * WORK.atom)
    const name = nameOfRef(ref)
    return { ...made, atoms: made.atoms.map((atom) => ({ ...atom, names: [...atom.names, name] })) }
  }

  function unionOf(
    branches: readonly Json[],
    schema: JsonObject,
    { key, document }: { key: 'anyOf' | 'oneOf' } & Pick<Located, 'document'>,
  ): Normal {
    const tags = tagsOf(schema)
    const read = branches.map((branch) => {
      const part = partIn({ schema: branch, document })
      const tag = tags === null ? undefined : tagSchema(tags, branch)
      if (tags === null || tag === undefined) return part
      const tagged = both(part, partIn({ schema: tag, document }))
      return { ...tagged, atoms: tagged.atoms.map((atom) => ({ ...atom, tag: tags.name })) }
    })
    const atoms = eachOnce(read.flatMap((part) => part.atoms))
    budget.spend(atoms.length)
    return {
      atoms,
      isExclusive: (key === 'oneOf' && read.length > 1) || read.some(({ isExclusive }) => isExclusive),
      unread: read.flatMap((part) => part.unread),
      notes: read.flatMap((part) => part.notes),
      fallback: undefined,
    }
  }

  function both(a: Normal, b: Normal): Normal {
    if (a === ANYTHING) return b
    if (b === ANYTHING) return a
    return {
      atoms: bothAtoms(a.atoms, b.atoms),
      isExclusive: a.isExclusive || b.isExclusive,
      unread: [...a.unread, ...b.unread],
      notes: [...a.notes, ...b.notes],
      fallback: a.fallback ?? b.fallback,
    }
  }

  function bothAtoms(a: readonly Atom[], b: readonly Atom[]): readonly Atom[] {
    if (a === ANYTHING.atoms) return b
    if (b === ANYTHING.atoms) return a
    const atoms: Atom[] = []
    for (const one of a)
      for (const other of b) {
        if (one.type !== other.type) continue
        budget.spend(2 * WORK.atom + (one.properties.size + other.properties.size) * WORK.value)
        const joined = joinAtoms(one, other)
        if (joined !== undefined) atoms.push(joined)
        if (atoms.length > MOST_ATOMS) throw new TooLarge('too many ways to combine unions')
      }
    return atoms
  }

  /** What only the provider writes is not part of requests, and what only consumers write not of responses. */
  function isHidden({ schema, document }: Located, hops = 8): boolean {
    const word = sender === 'consumer' ? 'readOnly' : sender === 'provider' ? 'writeOnly' : undefined
    if (word === undefined || !isJsonObject(schema) || hops === 0) return false
    budget.spend(WORK.name)
    if (schema[word] === true) return true
    const ref = schema['$ref']
    const target = typeof ref === 'string' ? targetOf(ref, document) : undefined
    const inner = Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly Json[]) : []
    return [...(target === undefined ? [] : [target]), ...inner.slice(0, 8)].some((next) =>
      isHidden({ schema: next, document }, hops - 1),
    )
  }
}

export type Normaliser = ReturnType<typeof normaliserFor>

/** Branches are told apart as objects, also where they were made of one schema. */
function eachOnce(atoms: readonly Atom[]): readonly Atom[] {
  const seen = new Set<Atom>()
  return atoms.map((atom) => {
    if (seen.has(atom)) return { ...atom }
    seen.add(atom)
    return atom
  })
}

const MOST_HOPS = 16
/** What can stand beside a reference and says nothing about values. */
const BESIDE_REF = wordSet('$ref $defs definitions $schema $id $comment description title')

/** What a reference that stands alone leads to, so that all ways to one schema are known to be one. */
function meantBy({ schema, document }: Located): Json {
  let found = schema
  for (let hops = 0; hops < MOST_HOPS && isJsonObject(found); hops++) {
    const ref = found['$ref']
    if (typeof ref !== 'string') break
    const isAlone = document.ignoresRefSiblings || Object.keys(found).every((key) => BESIDE_REF.has(key))
    const target = isAlone ? targetOf(ref, document) : undefined
    if (target === undefined) break
    found = target
  }
  return found
}

const unread = (what: string): Normal => ({ ...ANYTHING, unread: [what] })

const withNull = (made: Normal): Normal =>
  made.atoms.some(({ type }) => type === 'null')
    ? made
    : { ...made, atoms: [freeAtom('null'), ...made.atoms] }

function listAt(schema: JsonObject, key: string, missing: string[]): readonly Json[] {
  const list = keyOf(schema, key)
  if (Array.isArray(list)) return list as readonly Json[]
  if (list !== undefined) missing.push(`${key} ${JSON.stringify(list).slice(0, 200)}`)
  return []
}

type Tags = NonNullable<ReturnType<typeof tagsOf>>

function tagsOf(schema: JsonObject) {
  const { discriminator } = schema
  if (!isJsonObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return null
  const mapping = discriminator['mapping']
  return { name: discriminator['propertyName'], mapping: isJsonObject(mapping) ? mapping : {} }
}

/** The values of the tag that lead to a branch: those that the mapping names, else the name of what it refers to. */
function tagSchema({ name, mapping }: Tags, branch: Json): JsonObject | undefined {
  const ref = isJsonObject(branch) ? branch['$ref'] : undefined
  if (typeof ref !== 'string') return undefined
  const own = nameOfRef(ref)
  const values = Object.keys(mapping).filter((key) => mapping[key] === ref || mapping[key] === own)
  return { type: 'object', properties: { [name]: { enum: values.length > 0 ? values : [own] } } }
}
