import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import type { Json, JsonObject } from '../../../protocol/json/json.ts'
import { type Budget, WORK } from '../budget.ts'
import { wordSet } from '../word-set.ts'
import { REFERENCES } from './meaning-text.ts'
import { type Located, type SchemaDocument, type Source, targetOf } from './source.ts'
import { taggedParts } from './tagged-parts.ts'

/**
 * Which schemas of two documents are written the same, with all that they refer to. Those mean the same, and nobody has
 * to find out what: of two versions of a document nearly everything is so.
 */
export function sameSchemas(budget: Budget) {
  /** By the old document. */
  const pairs = new Map<SchemaDocument, DocumentPair>()
  return areSame

  function areSame(before: Source, after: Source): boolean {
    if (before.length !== after.length) return false
    for (let index = 0; index < before.length; index++)
      if (!isSame(before[index] as Located, after[index] as Located)) return false
    return true
  }

  function isSame(before: Located, after: Located): boolean {
    if (before.document.ignoresRefSiblings !== after.document.ignoresRefSiblings) return false
    let pair = pairs.get(before.document)
    if (pair === undefined || pair.after !== after.document) {
      pair = documentPair(before.document, after.document, budget)
      pairs.set(before.document, pair)
    }
    return pair.isSame(before.schema, after.schema)
  }
}

export type SameSchemas = ReturnType<typeof sameSchemas>

/** Whether a part is a schema, holds schemas by name, or is a value of which every letter counts. */
type Part = 'schema' | 'schemas' | 'value'

const SCHEMA_KEYS = wordSet(
  'items additionalProperties allOf anyOf oneOf not if then else contains propertyNames prefixItems additionalItems',
)
const SCHEMAS_KEYS = wordSet('properties patternProperties dependentSchemas')

/** What is said of a schema to people alone. */
const FOR_PEOPLE = new Set(['title', 'description', 'example', 'examples', '$comment', 'deprecated'])

type DocumentPair = ReturnType<typeof documentPair>

function documentPair(old: SchemaDocument, now: SchemaDocument, budget: Budget) {
  /** What was found of an old object and the new one that it was held against last. */
  const found = new Map<object, { readonly after: object; readonly isSame: boolean }>()
  /** Whether a reference leads to the same, and so does everything from there. */
  const leadToSame = new Map<string, boolean>()
  return { after: now, isSame }

  function isSame(before: Json, after: Json): boolean {
    if (typeof before !== 'object' || before === null) return before === after
    if (typeof after !== 'object' || after === null) return false
    const known = found.get(before)
    if (known?.after === after) return known.isSame
    const refs = refsIfSame(before, after)
    const areAlike = refs?.every((ref) => leadToSame.get(ref) ?? follow(ref)) === true
    found.set(before, { after, isSame: areAlike })
    return areAlike
  }

  /** The references in what is written the same; what they lead to may differ. Undefined of what is not. */
  function refsIfSame(before: Json | undefined, after: Json | undefined): readonly string[] | undefined {
    const refs: string[] = []
    return areWrittenSame(before, after, 'schema', refs) ? refs : undefined
  }

  function areWrittenSame(a: Json | undefined, b: Json | undefined, part: Part, refs: string[]): boolean {
    budget.spend(WORK.name)
    if (typeof a !== 'object' || a === null) return a === b
    if (typeof b !== 'object' || b === null || Array.isArray(a) !== Array.isArray(b)) return false
    const known = found.get(a)
    if (known?.after === b && !known.isSame) return false
    const areAlike = Array.isArray(a)
      ? a.length === b.length &&
        a.every((one, index) => areWrittenSame(one, (b as readonly Json[])[index], part, refs))
      : haveSame(a as JsonObject, b as JsonObject, part, refs)
    // So that what is around a difference is not walked again when it is asked for by itself.
    if (!areAlike) found.set(a, { after: b, isSame: false })
    return areAlike
  }

  function haveSame(a: JsonObject, b: JsonObject, part: Part, refs: string[]): boolean {
    let count = 0
    for (const key of Object.keys(a)) {
      if (part === 'schema' && FOR_PEOPLE.has(key)) continue
      if (!Object.hasOwn(b, key) || !areWrittenSame(a[key], b[key], partIn(part, key), refs)) return false
      if (REFERENCES.includes(key)) refs.push(String(a[key]))
      count++
    }
    for (const key of Object.keys(b)) if (part !== 'schema' || !FOR_PEOPLE.has(key)) count--
    if (part === 'schema' && a['discriminator'] !== undefined)
      for (const ref of [...taggedParts(a, old), ...taggedParts(b, now)]) refs.push(ref)
    return count === 0
  }

  /** All that can be reached is looked at first; then everything differs from where a difference can be reached. */
  function follow(start: string): boolean {
    const reached = new Set([start])
    const users = new Map<string, string[]>()
    const differing: string[] = []
    for (const ref of reached) {
      const inside = refsIfSame(targetOf(ref, old), targetOf(ref, now))
      if (inside === undefined) differing.push(ref)
      for (const next of inside ?? []) {
        const known = leadToSame.get(next)
        if (known === false) differing.push(ref)
        if (known !== undefined) continue
        reached.add(next)
        getOrAdd(users, next, () => []).push(ref)
      }
    }
    for (const ref of reached) leadToSame.set(ref, true)
    for (const ref of differing) {
      if (leadToSame.get(ref) === true) for (const user of users.get(ref) ?? []) differing.push(user)
      leadToSame.set(ref, false)
    }
    return leadToSame.get(start) === true
  }
}

function partIn(part: Part, key: string): Part {
  if (part === 'schemas' || (part === 'schema' && SCHEMA_KEYS.has(key))) return 'schema'
  return part === 'schema' && SCHEMAS_KEYS.has(key) ? 'schemas' : 'value'
}
