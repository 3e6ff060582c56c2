import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { shown } from '../judge/shown.ts'
import type { Operation } from '../model.ts'
import { typeOfValue } from '../schema/atom.ts'
import { keyOf, type SchemaDocument, targetOf } from '../schema/source.ts'
import type { Findings } from './found.ts'

/** Schemas that are looked at in one contract. */
const MOST = 5000
const DEEPEST = 60

const ID = /^(?:id|.*(?:_id|Id|ID))$/
const TIME = /(?:^|_)(?:date|time|timestamp|datetime)$|(?:_at|_on|At|Date|Time|Timestamp)$/

/** What two implementers would read differently inside of a schema. */
export function lintSchemas(operations: readonly Operation[], findings: Findings): void {
  const walker = new Walker(findings)
  for (const { prefix, slots } of operations)
    for (const { at, schema } of slots)
      if (schema !== null) walker.walk(schema.schema, `${prefix}${at}`, schema.document)
}

class Walker {
  readonly #findings: Findings
  readonly #seen = new Set<JsonObject>()
  #left = MOST

  constructor(findings: Findings) {
    this.#findings = findings
  }

  walk(schema: Json | undefined, at: string, document: SchemaDocument, depth = 0): void {
    if (!isJsonObject(schema) || this.#seen.has(schema) || depth > DEEPEST || --this.#left < 0) return
    this.#seen.add(schema)
    const ref = keyOf(schema, '$ref')
    if (typeof ref === 'string') this.walk(targetOf(ref, document), at, document, depth + 1)
    this.#look(schema, at)
    for (const [name, inner] of Object.entries(objectAt(schema, 'properties'))) {
      this.#lookByName(name, inner, `${at}.${name}`)
      this.walk(inner, `${at}.${name}`, document, depth + 1)
    }
    this.walk(keyOf(schema, 'items'), `${at}[]`, document, depth + 1)
    this.walk(keyOf(schema, 'additionalProperties'), `${at}.*`, document, depth + 1)
    for (const key of ['allOf', 'anyOf', 'oneOf'] as const)
      for (const inner of listAt(schema, key)) this.walk(inner, at, document, depth + 1)
  }

  #look(schema: JsonObject, at: string): void {
    const values = keyOf(schema, 'enum')
    if (Array.isArray(values) && values.length === 0)
      this.#findings.add('enum-without-values', at, 'the enum has no values; list them, or leave it out')
    const branches = [...listAt(schema, 'anyOf'), ...listAt(schema, 'oneOf')]
    const spellings = [
      schema['nullable'] === true,
      typesOf(schema)?.includes('null') === true,
      branches.some((branch) => isJsonObject(branch) && branch['type'] === 'null'),
    ]
    if (spellings.filter(Boolean).length > 1)
      this.#findings.add(
        'null-spelled-twice',
        at,
        'null is allowed in two ways; keep one, such as type: [..., "null"]',
      )
    const examples = [keyOf(schema, 'example'), keyOf(schema, 'default'), ...listAt(schema, 'examples')]
    const wrong = examples.find((value) => value !== undefined && !mayFit(value, schema))
    if (wrong !== undefined)
      this.#findings.add(
        'example-does-not-fit',
        at,
        `${shown(JSON.stringify(wrong))} does not fit the schema; correct one of them`,
      )
  }

  #lookByName(name: string, schema: Json | undefined, at: string): void {
    if (!isJsonObject(schema)) return
    const { type, format } = schema
    if (type === 'integer' && format === 'int64' && ID.test(name))
      this.#findings.add(
        'integer-id-beyond-2^53',
        at,
        'JavaScript rounds whole numbers beyond 2^53; send the id as a string',
      )
    const isPlainText =
      type === 'string' &&
      format === undefined &&
      !Array.isArray(schema['enum']) &&
      schema['pattern'] === undefined
    if (
      (isPlainText || ((type === 'integer' || type === 'number') && schema['description'] === undefined)) &&
      TIME.test(name)
    )
      this.#findings.add(
        'time-without-format',
        at,
        'which form the time has is not said; write format: date-time or date',
      )
  }
}

const objectAt = (schema: JsonObject, key: string): JsonObject => {
  const found = keyOf(schema, key)
  return isJsonObject(found) ? found : {}
}

const listAt = (schema: JsonObject, key: string): readonly Json[] => {
  const found = keyOf(schema, key)
  return Array.isArray(found) ? found : []
}

function typesOf(schema: JsonObject): readonly Json[] | undefined {
  const type = keyOf(schema, 'type')
  return type === undefined ? undefined : Array.isArray(type) ? type : [type]
}

/** By type and list of values only. */
function mayFit(value: Json, schema: JsonObject): boolean {
  if (value === null && schema['nullable'] === true) return true
  const types = typesOf(schema)
  const own = typeOfValue(value)
  const isOfType =
    types === undefined || types.includes(own) || (types.includes('integer') && Number.isInteger(value))
  const values = keyOf(schema, 'enum')
  const text = canonicalText(value)
  return (
    isOfType &&
    (!Array.isArray(values) || values.length === 0 || values.some((one) => canonicalText(one) === text))
  )
}
