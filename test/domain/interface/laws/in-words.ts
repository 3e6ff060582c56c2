import fc from 'fast-check'
import { isJsonObject, type Json, type JsonObject } from '../../../../src/protocol/json/json.ts'

const simple = fc.constantFrom<Json>(
  { type: 'string' },
  { type: 'integer' },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'object' },
  { type: 'string', format: 'uuid' },
  { type: 'string', format: 'email' },
  { type: 'string', format: 'date-time' },
  { enum: ['a', 'b'] },
  { enum: ['a', 'b', 'c'] },
  { type: ['string', 'null'] },
  { type: ['integer', 'null'] },
  { anyOf: [{ type: 'string' }, { type: 'integer' }] },
)

const listOf = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  inner.map((items) => ({ type: 'array', items }))
const mapOf = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  inner.map((values) => ({ type: 'object', additionalProperties: values }))

const recordOf = (inner: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc
    .record({
      properties: fc.dictionary(fc.constantFrom('id', 'name', 'tags', 'size'), inner, {
        minKeys: 1,
        maxKeys: 4,
        noNullPrototype: true,
      }),
      optional: fc.subarray(['id', 'name', 'tags', 'size']),
    })
    .map(({ properties, optional }) => ({
      type: 'object',
      properties,
      required: Object.keys(properties).filter((name) => !optional.includes(name)),
    }))

const field = fc.oneof(
  { arbitrary: simple, weight: 5 },
  { arbitrary: listOf(simple), weight: 1 },
  { arbitrary: mapOf(simple), weight: 1 },
)

/** Schemas that can be said in type words. */
export const wordable: fc.Arbitrary<JsonObject> = recordOf(
  fc.oneof({ arbitrary: field, weight: 5 }, { arbitrary: recordOf(field), weight: 1 }),
)

/** The same as a record of type words. */
export function inWords(schema: JsonObject): JsonObject {
  const required = schema['required'] as readonly string[]
  const fields = Object.entries(schema['properties'] as JsonObject).map(
    ([name, inner], index): [string, Json] => {
      const isOptional = !required.includes(name)
      const value = worded(inner ?? true)
      if (!isOptional) return [name, value]
      if (typeof value !== 'string' || index % 2 === 0) return [`${name}?`, value]
      return [name, index % 3 === 0 ? `optional ${value}` : `${value} (optional)`]
    },
  )
  return Object.fromEntries(fields)
}

const worded = (schema: Json): Json =>
  isJsonObject(schema) && isJsonObject(schema['properties']) ? inWords(schema) : wordOf(schema)

const FORMATS: Record<string, string> = { uuid: 'uuid', email: 'email', 'date-time': 'datetime' }

function wordOf(schema: Json): string {
  if (!isJsonObject(schema)) return 'any'
  const { type, format, enum: values, anyOf, items, additionalProperties } = schema
  if (Array.isArray(values))
    return values.length > 2
      ? `enum(${values.join(', ')})`
      : values.map((one) => `'${String(one)}'`).join('|')
  if (Array.isArray(anyOf)) return (anyOf as readonly Json[]).map(wordOf).join(' or ')
  if (Array.isArray(type)) return type.join('|')
  if (type === 'array') return bracketed(wordOf(items ?? true))
  if (additionalProperties !== undefined) return `Record<string, ${wordOf(additionalProperties)}>`
  return typeof format === 'string' ? (FORMATS[format] ?? 'string') : String(type)
}

const bracketed = (word: string): string => (/[|' ]/.test(word) ? `Array<${word}>` : `${word}[]`)
