import { describe, expect, test } from 'vitest'
import { reviewPair } from '../../../../src/domain/interface/review.ts'
import type { Json, JsonObject } from '../../../../src/protocol/json/json.ts'
import { text } from './differences.ts'

const number = { type: 'number' }

const model = (a: JsonObject, definitions: JsonObject): JsonObject => ({
  schema: { $id: 'https://example.com/model', type: 'object', properties: { a }, $defs: definitions },
})

const answering = (schema: JsonObject, schemas: JsonObject): JsonObject => ({
  openapi: '3.1.0',
  paths: {
    '/a': { get: { responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } } } },
  },
  components: { schemas },
})

type Make = (leaf: JsonObject) => JsonObject

/** What a change of `leaf` comes to, and that nothing else than that is a change. */
function verdictOn(make: Make): string {
  expect(
    reviewPair('data_model', { ...make(text), description: 'one' }, { ...make(text), description: 'two' })
      .all,
  ).toEqual([])
  return reviewPair('data_model', make(text), make(number)).verdict
}

describe('a change is seen through a reference', () => {
  test.each<[string, Make]>([
    ['by an anchor', (leaf) => model({ $ref: '#leaf' }, { Leaf: { $anchor: 'leaf', ...leaf } })],
    ['by the id of a schema', (leaf) => model({ $ref: 'leaf' }, { Leaf: { $id: 'leaf', ...leaf } })],
    [
      'by the id of a schema and a way from there',
      (leaf) => model({ $ref: 'leaf#/$defs/Inner' }, { Leaf: { $id: 'leaf', $defs: { Inner: leaf } } }),
    ],
    [
      'by the id of the document',
      (leaf) => model({ $ref: 'https://example.com/model#/$defs/Leaf' }, { Leaf: leaf }),
    ],
    [
      'by an anchor in a document',
      (leaf) => answering({ $ref: '#leaf' }, { Leaf: { $anchor: 'leaf', ...leaf } }),
    ],
  ])('%s', (_, make) => {
    expect(verdictOn(make)).toBe('breaking')
  })

  test.each<[string, Make]>([
    [
      'that depends on where it is used',
      (leaf) => model({ $dynamicRef: '#leaf' }, { Leaf: { $dynamicAnchor: 'leaf', ...leaf } }),
    ],
    [
      'inside of a condition',
      (leaf) => model({ not: { $dynamicRef: '#leaf' } }, { Leaf: { $dynamicAnchor: 'leaf', ...leaf } }),
    ],
    [
      'by a name that two schemas have',
      (leaf) => model({ $ref: '#leaf' }, { One: { $anchor: 'leaf' }, Two: { $anchor: 'leaf', ...leaf } }),
    ],
  ])('%s, but what it means is not known', (_, make) => {
    expect(verdictOn(make)).toBe('unknown')
  })

  test('data that has such a key gives no name to anything', () => {
    const make: Make = (leaf) =>
      model(
        { $ref: '#leaf' },
        { Leaf: { $anchor: 'leaf', ...leaf }, Other: { default: { $anchor: 'leaf' } } },
      )
    expect(verdictOn(make)).toBe('breaking')
  })
})

describe('what may arrive in place of a schema with a discriminator is part of it', () => {
  const tagged = (more: JsonObject = {}): JsonObject => ({
    type: 'object',
    properties: { kind: text },
    required: ['kind'],
    discriminator: { propertyName: 'kind', ...more },
  })
  const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` })
  const extending = (leaf: Json): JsonObject => ({
    allOf: [ref('Pet'), { type: 'object', properties: { leaf } }],
  })

  test.each<[string, Make]>([
    [
      'by its mapping',
      (leaf) => answering(tagged({ mapping: { n: '#/components/schemas/N' } }), { N: leaf }),
    ],
    ['by a name in its mapping', (leaf) => answering(tagged({ mapping: { n: 'N' } }), { N: leaf })],
    ['by consisting of it', (leaf) => answering(ref('Pet'), { Pet: tagged(), Dog: extending(leaf) })],
    [
      'by consisting of it, also where it consists of others itself',
      (leaf) =>
        answering(ref('Pet'), {
          Base: { type: 'object' },
          Pet: { allOf: [ref('Base')], discriminator: { propertyName: 'kind' } },
          Dog: extending(leaf),
        }),
    ],
  ])('%s', (_, make) => {
    expect(verdictOn(make)).toBe('unknown')
  })

  test('and one more of them is a change', () => {
    const one = answering(ref('Pet'), { Pet: tagged(), Dog: extending(text) })
    const two = answering(ref('Pet'), { Pet: tagged(), Dog: extending(text), Cat: extending(text) })
    expect(reviewPair('api_endpoint', one, two).verdict).toBe('unknown')
  })

  test('but not what nothing leads to', () => {
    const make: Make = (leaf) => answering(ref('Pet'), { Pet: tagged(), Other: leaf })
    expect(verdictOn(make)).toBe('compatible')
  })
})
