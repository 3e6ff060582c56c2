import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import type { Json, JsonObject } from '../../../protocol/json/json.ts'
import { type Budget, WORK } from '../budget.ts'
import { REFERENCES } from './meaning-text.ts'
import { type Located, type SchemaDocument, type Source, targetOf } from './source.ts'
import { taggedParts } from './tagged-parts.ts'

/**
 * Which schemas of two documents are written the same, with all that they refer to. Those mean the same, and nobody has
 * to find out what: of two versions of a document nearly everything is so.
 */
export class SameSchemas {
  readonly #budget: Budget
  /** By the old document. */
  readonly #pairs = new Map<SchemaDocument, DocumentPair>()

  constructor(budget: Budget) {
    this.#budget = budget
  }

  areSame(before: Source, after: Source): boolean {
    if (before.length !== after.length) return false
    for (let index = 0; index < before.length; index++)
      if (!this.#isSame(before[index] as Located, after[index] as Located)) return false
    return true
  }

  #isSame(before: Located, after: Located): boolean {
    if (before.document.ignoresRefSiblings !== after.document.ignoresRefSiblings) return false
    let pair = this.#pairs.get(before.document)
    if (pair === undefined || pair.after !== after.document) {
      pair = new DocumentPair(before.document, after.document, this.#budget)
      this.#pairs.set(before.document, pair)
    }
    return pair.isSame(before.schema, after.schema)
  }
}

/** Whether a part is a schema, holds schemas by name, or is a value of which every letter counts. */
type Part = 'schema' | 'schemas' | 'value'

const PARTS = new Map<string, Part>([
  ...'items additionalProperties allOf anyOf oneOf not if then else contains propertyNames prefixItems additionalItems'
    .split(' ')
    .map((key): [string, Part] => [key, 'schema']),
  ...'properties patternProperties dependentSchemas'
    .split(' ')
    .map((key): [string, Part] => [key, 'schemas']),
])

/** What is said of a schema to people alone. */
const FOR_PEOPLE = new Set(['title', 'description', 'example', 'examples', '$comment', 'deprecated'])

class DocumentPair {
  readonly before: SchemaDocument
  readonly after: SchemaDocument
  readonly #budget: Budget
  /** What was found of an old object and the new one that it was held against last. */
  readonly #known = new Map<object, { readonly after: object; readonly isSame: boolean }>()
  /** Whether a reference leads to the same, and so does everything from there. */
  readonly #refs = new Map<string, boolean>()

  constructor(before: SchemaDocument, after: SchemaDocument, budget: Budget) {
    this.before = before
    this.after = after
    this.#budget = budget
  }

  isSame(before: Json, after: Json): boolean {
    if (typeof before !== 'object' || before === null) return before === after
    if (typeof after !== 'object' || after === null) return false
    const known = this.#known.get(before)
    if (known?.after === after) return known.isSame
    const refs = this.#refsIfSame(before, after)
    const isSame = refs?.every((ref) => this.#refs.get(ref) ?? this.#follow(ref)) === true
    this.#known.set(before, { after, isSame })
    return isSame
  }

  /** The references in what is written the same; what they lead to may differ. Undefined of what is not. */
  #refsIfSame(before: Json | undefined, after: Json | undefined): readonly string[] | undefined {
    const refs: string[] = []
    const isSame = (a: Json | undefined, b: Json | undefined, part: Part): boolean => {
      this.#budget.spend(WORK.name)
      if (typeof a !== 'object' || a === null) return a === b
      if (typeof b !== 'object' || b === null || Array.isArray(a) !== Array.isArray(b)) return false
      const known = this.#known.get(a)
      if (known?.after === b && !known.isSame) return false
      const found = Array.isArray(a)
        ? areSame(a, b as readonly Json[], part)
        : haveSame(a as JsonObject, b as JsonObject, part)
      // So that what is around a difference is not walked again when it is asked for by itself.
      if (!found) this.#known.set(a, { after: b, isSame: false })
      return found
    }
    const areSame = (a: readonly Json[], b: readonly Json[], part: Part): boolean =>
      a.length === b.length && a.every((one, index) => isSame(one, b[index], part))
    const haveSame = (a: JsonObject, b: JsonObject, part: Part): boolean => {
      let count = 0
      for (const key of Object.keys(a)) {
        if (part === 'schema' && FOR_PEOPLE.has(key)) continue
        if (!Object.hasOwn(b, key) || !isSame(a[key], b[key], partIn(part, key))) return false
        if (REFERENCES.includes(key)) refs.push(String(a[key]))
        count++
      }
      for (const key of Object.keys(b)) if (part !== 'schema' || !FOR_PEOPLE.has(key)) count--
      if (part === 'schema' && a['discriminator'] !== undefined)
        for (const ref of [...taggedParts(a, this.before), ...taggedParts(b, this.after)]) refs.push(ref)
      return count === 0
    }
    return isSame(before, after, 'schema') ? refs : undefined
  }

  /** All that can be reached is looked at first; then everything differs from where a difference can be reached. */
  #follow(start: string): boolean {
    const reached = new Set([start])
    const users = new Map<string, string[]>()
    const differing: string[] = []
    for (const ref of reached) {
      const inside = this.#refsIfSame(targetOf(ref, this.before), targetOf(ref, this.after))
      if (inside === undefined) differing.push(ref)
      for (const next of inside ?? []) {
        const known = this.#refs.get(next)
        if (known === false) differing.push(ref)
        if (known !== undefined) continue
        reached.add(next)
        getOrAdd(users, next, () => []).push(ref)
      }
    }
    for (const ref of reached) this.#refs.set(ref, true)
    for (const ref of differing) {
      if (this.#refs.get(ref) === true) for (const user of users.get(ref) ?? []) differing.push(user)
      this.#refs.set(ref, false)
    }
    return this.#refs.get(start) === true
  }
}

const partIn = (part: Part, key: string): Part =>
  part === 'schemas' ? 'schema' : part === 'schema' ? (PARTS.get(key) ?? 'value') : 'value'
