import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { listOf } from '../forms/content.ts'
import { shown } from '../judge/shown.ts'
import type { Operation } from '../model.ts'
import { typeOfValue } from '../schema/atom.ts'
import { type SchemaDocument, targetOf } from '../schema/source.ts'
import type { Findings } from './found.ts'

/** Schemas that are looked at in one contract. */
const MOST = 5000
const DEEPEST = 60

const ID = /^(?:id|.*(?:_id|Id|ID))$/
const TIME = /(?:^|_)(?:date|time|timestamp|datetime)$|(?:_at|_on|At|Date|Time|Timestamp)$/

interface Place {
  readonly at: string
  readonly document: SchemaDocument
  readonly depth: number
}

/** Most schemas have none of these, and say nothing that could be said better. */
const LOOKED_AT = new Set(['enum', 'nullable', 'anyOf', 'oneOf', 'example', 'examples', 'default'])
/** What other schemas stand under. */
const LEADING = new Set(['$ref', 'properties', 'items', 'additionalProperties', 'allOf', 'anyOf', 'oneOf'])

/** What two implementers would read differently inside of a schema. */
export function lintSchemas(operations: readonly Operation[], findings: Findings): void {
  const seen = new Set<JsonObject>()
  let left = MOST
  for (const { prefix, slots } of operations)
    for (const { at, schema } of slots)
      if (schema !== null) walk(schema.schema, `${prefix}${at}`, schema.document)

  function walk(schema: Json | undefined, at: string, document: SchemaDocument, depth = 0): void {
    if (!isJsonObject(schema) || seen.has(schema) || depth > DEEPEST || --left < 0) return
    let place: Place | undefined
    let isLookedAt = false
    for (const key of Object.keys(schema)) {
      if (LOOKED_AT.has(key) && !isLookedAt) {
        isLookedAt = true
        look(schema, at)
      }
      if (!LEADING.has(key)) continue
      seen.add(schema)
      place ??= { at, document, depth: depth + 1 }
      inside(key, schema[key], place)
    }
  }

  function inside(key: string, inner: Json | undefined, { at, document, depth }: Place): void {
    switch (key) {
      case '$ref':
        if (typeof inner === 'string') walk(targetOf(inner, document), at, document, depth)
        break
      case 'properties':
        if (isJsonObject(inner))
          for (const name of Object.keys(inner)) {
            lookByName(name, inner[name], at)
            walk(inner[name], `${at}.${name}`, document, depth)
          }
        break
      case 'items':
        walk(inner, `${at}[]`, document, depth)
        break
      case 'additionalProperties':
        walk(inner, `${at}.*`, document, depth)
        break
      case 'allOf':
      case 'anyOf':
      case 'oneOf':
        if (Array.isArray(inner))
          for (const branch of inner as readonly Json[]) walk(branch, at, document, depth)
        break
      default:
    }
  }

  function look(schema: JsonObject, at: string): void {
    const values = schema['enum']
    if (Array.isArray(values) && values.length === 0)
      findings.add('enum-without-values', at, 'the enum has no values; list them, or leave it out')
    const twice = 'null is allowed in two ways; keep one, such as type: [..., "null"]'
    if (nullSpellings(schema) > 1) findings.add('null-spelled-twice', at, twice)
    const wrong = wrongExample(schema)
    if (wrong === undefined) return
    const say = `${shown(JSON.stringify(wrong))} does not fit the schema; correct one of them`
    findings.add('example-does-not-fit', at, say)
  }

  function lookByName(name: string, schema: Json | undefined, at: string): void {
    if (!isJsonObject(schema)) return
    const { type, format } = schema
    const rounded = 'JavaScript rounds whole numbers beyond 2^53; send the id as a string'
    if (type === 'integer' && format === 'int64' && ID.test(name))
      findings.add('integer-id-beyond-2^53', `${at}.${name}`, rounded)
    const isPlainText =
      type === 'string' &&
      format === undefined &&
      !Array.isArray(schema['enum']) &&
      schema['pattern'] === undefined
    const isPlainNumber = (type === 'integer' || type === 'number') && schema['description'] === undefined
    const unsaid = 'which form the time has is not said; write format: date-time or date'
    if ((isPlainText || isPlainNumber) && TIME.test(name))
      findings.add('time-without-format', `${at}.${name}`, unsaid)
  }
}

function nullSpellings(schema: JsonObject): number {
  const { type, nullable } = schema
  const isType = type === 'null' || (Array.isArray(type) && type.includes('null'))
  const isBranch = listOf(schema['anyOf']).some(isNull) || listOf(schema['oneOf']).some(isNull)
  return Number(nullable === true) + Number(isType) + Number(isBranch)
}

const isNull = (branch: Json): boolean => isJsonObject(branch) && branch['type'] === 'null'

function wrongExample(schema: JsonObject): Json | undefined {
  const { example, default: fallback, examples } = schema
  if (example !== undefined && !mayFit(example, schema)) return example
  if (fallback !== undefined && !mayFit(fallback, schema)) return fallback
  if (!Array.isArray(examples)) return undefined
  return (examples as readonly Json[]).slice(0, MOST_EXAMPLES).find((value) => !mayFit(value, schema))
}

/** Examples of one schema that are held against its values, each against all of them. */
const MOST_EXAMPLES = 20

/** By type and list of values only. */
function mayFit(value: Json, schema: JsonObject): boolean {
  if (value === null && schema['nullable'] === true) return true
  const own = typeOfValue(value)
  const { type = own } = schema
  const types: readonly Json[] = Array.isArray(type) ? type : [type]
  const isOfType = types.includes(own) || (types.includes('integer') && Number.isInteger(value))
  const values = schema['enum']
  if (!isOfType || !Array.isArray(values) || values.length === 0) return isOfType
  if (typeof value !== 'object' || value === null) return values.includes(value)
  const text = canonicalText(value)
  return values.some((one) => typeof one === 'object' && canonicalText(one) === text)
}
