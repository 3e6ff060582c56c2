import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { Sender } from '../model.ts'
import { keyOf, type Located, targetOf } from '../schema/source.ts'
import { wordSet } from '../word-set.ts'

/** A schema that any validator of JSON Schema can use: nothing in it leads out of it. */
export interface Standalone {
  readonly schema: JsonObject
  /** Places whose words are no type that is known, so that nothing is asked of a value there. */
  readonly unread: readonly string[]
}

const MAPS = new Set(['properties', 'patternProperties', 'dependentSchemas'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const SINGLE =
  wordSet(`items additionalItems additionalProperties not if then else contains propertyNames unevaluatedItems
  unevaluatedProperties`)
/** Names of the schema, what it refers to, and what this program notes in it. */
const LEFT_OUT = wordSet(
  'id $id $schema $defs definitions components nullable $unreadable $example $note $types',
)
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

/** The schema with all that it refers to, in the words of its draft, as it counts for what this side sends. */
export function standaloneOf(
  { schema: whole, document }: Located,
  sender: Sender,
  place: string,
): Standalone {
  const unread: string[] = []
  const targets: { readonly schema: Json; readonly at: string }[] = []
  const names = new Map<string, string>()
  const own = written(whole, place)
  const defs = definitions()
  return {
    schema: {
      ...(document.ignoresRefSiblings ? { $schema: DRAFT_7 } : {}),
      ...(isJsonObject(own) ? own : { allOf: [own] }),
      ...(Object.keys(defs).length === 0 ? {} : { $defs: defs }),
    },
    unread,
  }

  /** What was referred to, each once. To write one may add more, which this walk gets to as well. */
  function definitions(): JsonObject {
    const made: Record<string, Json> = {}
    for (const [index, { schema, at }] of targets.entries()) made[`d${index}`] = written(schema, at)
    return made
  }

  function written(schema: Json, at: string): Json {
    if (!isJsonObject(schema)) return schema
    if (Object.hasOwn(schema, '$unreadable')) unread.push(at)
    const ref = refTo(schema['$ref'], at)
    if (ref !== undefined && document.ignoresRefSiblings) return { $ref: ref }
    const made = Object.fromEntries(keywords(schema, at))
    if (ref !== undefined) made['$ref'] = ref
    return schema['nullable'] === true ? { anyOf: [made, { type: 'null' }] } : made
  }

  function* keywords(schema: JsonObject, at: string): Iterable<[string, Json]> {
    for (const [key, given] of Object.entries(schema)) {
      const value = given ?? null
      if (LEFT_OUT.has(key) || key === '$ref') continue
      if (key === 'required' && Array.isArray(value)) yield [key, requiredOf(schema, value)]
      else if (key === 'items' && Array.isArray(value))
        // Old drafts wrote a tuple as `items`; newer ones call it `prefixItems`.
        yield [isTuple(schema) ? 'prefixItems' : 'items', value.map((inner) => written(inner, at))]
      else if (key === 'additionalItems' && isTuple(schema)) yield ['items', written(value, at)]
      else if (MAPS.has(key) && isJsonObject(value)) yield [key, writtenMap(value, at)]
      else if (LISTS.has(key) && Array.isArray(value)) yield [key, value.map((inner) => written(inner, at))]
      else if (SINGLE.has(key)) yield [key, written(value, `${at}${INSIDE[key] ?? ''}`)]
      else yield* exclusiveBound(schema, key) ?? [[key, value]]
    }
  }

  function isTuple({ items }: JsonObject): boolean {
    return Array.isArray(items) && !document.ignoresRefSiblings
  }

  function writtenMap(map: JsonObject, at: string): JsonObject {
    return Object.fromEntries(
      Object.entries(map).map(([name, inner]) => [name, written(inner ?? null, `${at}.${name}`)]),
    )
  }

  /** What the other side alone sends is not asked of this one. */
  function requiredOf({ properties }: JsonObject, names: readonly Json[]): Json[] {
    const mark = { consumer: 'readOnly', provider: 'writeOnly', both: undefined }[sender]
    if (mark === undefined || !isJsonObject(properties)) return [...names]
    const isHidden = (name: Json) => {
      const property = typeof name === 'string' ? keyOf(properties, name) : undefined
      return isJsonObject(property) && property[mark] === true
    }
    return names.filter((name) => !isHidden(name))
  }

  /** Where in the made schema it leads; as it is where it leads out of the document, or nowhere. */
  function refTo(ref: Json | undefined, at: string): string | undefined {
    if (typeof ref !== 'string') return undefined
    const schema = targetOf(ref, document)
    if (schema === undefined) return ref
    const known = names.get(ref)
    if (known !== undefined) return known
    const name = `#/$defs/d${targets.push({ schema, at }) - 1}`
    names.set(ref, name)
    return name
  }
}

const INSIDE: Readonly<Record<string, string>> = { items: '[]', additionalProperties: '.*' }

export const BOUNDS: Readonly<Record<string, string>> = {
  exclusiveMinimum: 'minimum',
  exclusiveMaximum: 'maximum',
}

/** `exclusiveMinimum: true` beside a `minimum`, as old drafts wrote it; undefined for any other keyword. */
function exclusiveBound(schema: JsonObject, key: string): [string, Json][] | undefined {
  const bound = BOUNDS[key]
  if (bound === undefined || typeof schema[key] !== 'boolean') return undefined
  const value = schema[bound]
  return schema[key] && typeof value === 'number' ? [[key, value]] : []
}
