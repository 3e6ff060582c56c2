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
export class Normaliser {
  readonly #budget: Budget
  readonly #sender: Sender
  readonly #ids = new Map<Json, number>()
  readonly #idsOfMany = new Map<string, number>()
  readonly #known = new Map<number, Normal>()
  readonly #open = new Set<Json>()
  /** Of schemas that consist of others, but not of themselves. */
  readonly #parts = new Map<Json, Normal>()
  readonly #hides = (property: Located): boolean => this.#isHidden(property)
  /** How often a schema was met inside of itself. */
  #circles = 0
  #count = 0

  constructor(budget: Budget, sender: Sender) {
    this.#budget = budget
    this.#sender = sender
  }

  /** A small number: equal for what is the same piece of the document. */
  idOf(source: Source): number {
    const [only] = source
    if (only === undefined) return 0
    if (source.length === 1) return this.#idOf(meantBy(only))
    const ids = new Set(source.map((part) => this.#idOf(meantBy(part))))
    return getOrAdd(this.#idsOfMany, [...ids].sort().join(), () => ++this.#count)
  }

  #idOf(schema: Json): number {
    return getOrAdd(this.#ids, schema, () => ++this.#count)
  }

  normal(source: Source): Normal {
    const id = this.idOf(source)
    const known = this.#known.get(id)
    if (known !== undefined) return known
    let all = ANYTHING
    for (const part of source) all = this.#both(all, this.#part(part))
    const made = tidied(all)
    this.#known.set(id, made)
    return made
  }

  #part(part: Located): Normal {
    this.#budget.spend()
    const { schema } = part
    if (schema === true) return ANYTHING
    if (schema === false) return NOTHING
    if (!isJsonObject(schema)) return unread(`${JSON.stringify(schema).slice(0, 200)} as a schema`)
    const known = this.#parts.get(schema) ?? plainNormal(schema)
    if (known !== undefined) return known
    if (this.#open.has(schema)) {
      this.#circles++
      return unread('a schema that consists of itself')
    }
    if (this.#open.size > MOST_NESTED) throw new TooLarge('nested too deep')
    this.#budget.spend(WORK.schema)
    this.#open.add(schema)
    const circles = this.#circles
    try {
      const made = this.#object(schema, part)
      // What was met inside of itself says less there than it says elsewhere.
      if (circles === this.#circles) this.#parts.set(schema, made)
      return made
    } finally {
      this.#open.delete(schema)
    }
  }

  #object(schema: JsonObject, { document }: Located): Normal {
    const ref = schema['$ref']
    if (ref !== undefined && document.ignoresRefSiblings) return this.#ref(ref, { schema, document })
    const missing: string[] = []
    const atoms = readAtoms(schema, {
      document,
      budget: this.#budget,
      unread: missing,
      isHidden: this.#hides,
    })
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
    if (ref !== undefined) made = this.#both(made, this.#ref(ref, { schema, document }))
    for (const inner of listAt(schema, 'allOf', missing))
      made = this.#both(made, this.#part({ schema: inner, document }))
    for (const key of ['anyOf', 'oneOf'] as const) {
      const branches = listAt(schema, key, missing)
      if (branches.length > 0) made = this.#both(made, this.#union(branches, schema, { key, document }))
    }
    return schema['nullable'] === true ? withNull(made) : made
  }

  #ref(ref: Json, { document }: Located): Normal {
    if (typeof ref !== 'string') return unread(`$ref ${JSON.stringify(ref)}`)
    const target = targetOf(ref, document)
    if (target === undefined) return unread(`$ref ${JSON.stringify(ref)}`)
    const made = this.#part({ schema: target, document })
    this.#budget.spend(made.atoms.length * WORK.atom)
    const name = nameOfRef(ref)
    return { ...made, atoms: made.atoms.map((atom) => ({ ...atom, names: [...atom.names, name] })) }
  }

  #union(
    branches: readonly Json[],
    schema: JsonObject,
    { key, document }: { key: 'anyOf' | 'oneOf' } & Pick<Located, 'document'>,
  ): Normal {
    const tags = tagsOf(schema)
    const parts = branches.map((branch) => {
      const part = this.#part({ schema: branch, document })
      const tag = tags === null ? undefined : tagSchema(tags, branch)
      if (tags === null || tag === undefined) return part
      const tagged = this.#both(part, this.#part({ schema: tag, document }))
      return { ...tagged, atoms: tagged.atoms.map((atom) => ({ ...atom, tag: tags.name })) }
    })
    const atoms = eachOnce(parts.flatMap((part) => part.atoms))
    this.#budget.spend(atoms.length)
    return {
      atoms,
      isExclusive: (key === 'oneOf' && parts.length > 1) || parts.some(({ isExclusive }) => isExclusive),
      unread: parts.flatMap((part) => part.unread),
      notes: parts.flatMap((part) => part.notes),
      fallback: undefined,
    }
  }

  #both(a: Normal, b: Normal): Normal {
    if (a === ANYTHING) return b
    if (b === ANYTHING) return a
    return {
      atoms: this.#bothAtoms(a.atoms, b.atoms),
      isExclusive: a.isExclusive || b.isExclusive,
      unread: [...a.unread, ...b.unread],
      notes: [...a.notes, ...b.notes],
      fallback: a.fallback ?? b.fallback,
    }
  }

  #bothAtoms(a: readonly Atom[], b: readonly Atom[]): readonly Atom[] {
    if (a === ANYTHING.atoms) return b
    if (b === ANYTHING.atoms) return a
    const atoms: Atom[] = []
    for (const one of a)
      for (const other of b) {
        if (one.type !== other.type) continue
        this.#budget.spend(2 * WORK.atom + (one.properties.size + other.properties.size) * WORK.value)
        const joined = joinAtoms(one, other)
        if (joined !== undefined) atoms.push(joined)
        if (atoms.length > MOST_ATOMS) throw new TooLarge('too many ways to combine unions')
      }
    return atoms
  }

  /** What only the provider writes is not part of requests, and what only consumers write not of responses. */
  #isHidden({ schema, document }: Located, hops = 8): boolean {
    const word =
      this.#sender === 'consumer' ? 'readOnly' : this.#sender === 'provider' ? 'writeOnly' : undefined
    if (word === undefined || !isJsonObject(schema) || hops === 0) return false
    this.#budget.spend(WORK.name)
    if (schema[word] === true) return true
    const ref = schema['$ref']
    const target = typeof ref === 'string' ? targetOf(ref, document) : undefined
    const inner = Array.isArray(schema['allOf']) ? (schema['allOf'] as readonly Json[]) : []
    return [...(target === undefined ? [] : [target]), ...inner.slice(0, 8)].some((next) =>
      this.#isHidden({ schema: next, document }, hops - 1),
    )
  }
}

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

interface Tags {
  readonly name: string
  readonly mapping: JsonObject
}

function tagsOf(schema: JsonObject): Tags | null {
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
