import fc from 'fast-check'
import type { Json, JsonObject } from '../../../../src/protocol/json/json.ts'

const small = fc.integer({ min: 0, max: 6 })

/** Some of the entries, under their keys. */
const some = (entries: Record<string, fc.Arbitrary<Json>>): fc.Arbitrary<JsonObject> =>
  fc.record(entries, { requiredKeys: [] }) as fc.Arbitrary<JsonObject>

const text = some({
  minLength: small,
  maxLength: fc.integer({ min: 3, max: 9 }),
  format: fc.constantFrom('uuid', 'date', 'email'),
}).map((more) => ({ type: 'string', ...more }))
const integer = some({
  minimum: fc.integer({ min: -3, max: 3 }),
  maximum: fc.integer({ min: 4, max: 12 }),
  exclusiveMinimum: fc.integer({ min: -3, max: 3 }),
  multipleOf: fc.constantFrom(1, 2, 3),
}).map((more) => ({ type: 'integer', ...more }))
const number = some({
  minimum: fc.integer({ min: -3, max: 3 }),
  exclusiveMaximum: fc.integer({ min: 4, max: 12 }),
}).map((more) => ({ type: 'number', ...more }))
const listed = fc
  .uniqueArray(fc.constantFrom<Json>('a', 'b', 'c', 1, 2, null), { minLength: 1, maxLength: 4 })
  .map((values) => ({ enum: values }))
const constant = fc.constantFrom<Json>('a', 'b', 1).map((value) => ({ const: value }))

/** Schemas of one value with constraints that have an order. */
export const constrained: fc.Arbitrary<JsonObject> = fc.oneof(text, integer, number)

const leaf: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: constrained, weight: 4 },
  { arbitrary: fc.constant<Json>({ type: 'boolean' }), weight: 1 },
  { arbitrary: listed, weight: 2 },
  { arbitrary: constant, weight: 1 },
  {
    arbitrary: fc.constantFrom<Json>({ type: ['string', 'null'] }, { type: ['integer', 'string'] }, true),
    weight: 1,
  },
  { arbitrary: fc.constantFrom<Json>({ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }), weight: 1 },
)

const NAMES = ['a', 'b', 'c', 'd']

const objectOf = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .record({
      properties: fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 4, noNullPrototype: true }),
      required: fc.subarray(NAMES),
      additionalProperties: fc.constantFrom<Json | undefined>(undefined, undefined, undefined, false, {
        type: 'string',
      }),
    })
    .map(({ properties, required, additionalProperties }) => ({
      type: 'object',
      properties,
      required: required.filter((name) => Object.hasOwn(properties, name)),
      ...(additionalProperties === undefined ? {} : { additionalProperties }),
    }))

const arrayOf = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(inner, some({ minItems: small, uniqueItems: fc.boolean() }))
    .map(([items, more]) => ({ type: 'array', items, ...more }))

const unionOf = (inner: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc
    .tuple(fc.constantFrom('anyOf', 'oneOf'), fc.array(inner, { minLength: 1, maxLength: 3 }))
    .map(([key, branches]) => ({ [key]: branches }))

const inner: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: leaf, weight: 4 },
  { arbitrary: objectOf(leaf), weight: 2 },
  { arbitrary: arrayOf(leaf), weight: 1 },
  { arbitrary: unionOf(leaf), weight: 1 },
)

const nested: fc.Arbitrary<Json> = fc.oneof(
  { arbitrary: objectOf(inner), weight: 4 },
  { arbitrary: unionOf(fc.oneof(objectOf(leaf), leaf)), weight: 2 },
  { arbitrary: fc.tuple(objectOf(leaf), objectOf(leaf)).map((parts): Json => ({ allOf: parts })), weight: 1 },
  { arbitrary: inner, weight: 1 },
)

/** Whole schemas with two definitions, which may lead to each other. */
export const wholeSchema: fc.Arbitrary<JsonObject> = fc
  .record({ root: nested, A: objectOf(leaf), B: objectOf(leaf) })
  .map(({ root, A, B }) => ({ ...asObject(root), $defs: { A, B } }))

const asObject = (schema: Json): JsonObject => (schema === true ? {} : (schema as JsonObject))
