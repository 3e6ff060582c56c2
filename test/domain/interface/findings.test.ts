import { describe, expect, test } from 'vitest'
import { RULES } from '../../../src/domain/interface/model.ts'
import { readInterface } from '../../../src/domain/interface/review.ts'
import type { Json, JsonObject } from '../../../src/protocol/json/json.ts'

const answer = (schema: Json): JsonObject => ({
  200: { content: { 'application/json': { schema } } },
  404: { description: 'none' },
})
const get = (schema: Json, more: JsonObject = {}): JsonObject => ({
  method: 'GET',
  path: '/a',
  responses: answer(schema),
  ...more,
})
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})
const informal = (response: Json): JsonObject => ({
  method: 'GET',
  path: '/a',
  response,
  errors: { 404: 'none' },
})

/** For every rule: where it is found, and what a reader who follows it writes instead. */
const CASES: readonly (readonly [string, string, Json, Json])[] = [
  [
    'unreadable-type',
    'response.200.body.user',
    informal({ user: 'UserDto' }),
    informal({ user: { id: 'uuid' } }),
  ],
  ['example-not-type', 'response.200.body.age', informal({ age: 42 }), informal({ age: 'integer' })],
  [
    'nothing-required',
    'response.200.body',
    get({ type: 'object', properties: { a: true, b: true } }),
    get(object({ a: true, b: true })),
  ],
  ['no-error-response', 'response', { method: 'GET', path: '/a', response: 'string' }, informal('string')],
  [
    'response-without-schema',
    'response.200',
    { method: 'GET', path: '/a', responses: { 200: {}, 404: {} } },
    get({ type: 'string' }),
  ],
  [
    'path-parameter-undeclared',
    'path.0',
    { ...informal('string'), path: '/a/:id' },
    { ...informal('string'), path: '/a/:id', params: { id: 'uuid' } },
  ],
  [
    'example-does-not-fit',
    'response.200.body.a',
    get(object({ a: { type: 'string', example: 3 } })),
    get(object({ a: { type: 'string', example: '3' } })),
  ],
  [
    'integer-id-beyond-2^53',
    'response.200.body.userId',
    get(object({ userId: { type: 'integer', format: 'int64' } })),
    get(object({ userId: { type: 'string' } })),
  ],
  [
    'time-without-format',
    'response.200.body.created_at',
    get(object({ created_at: { type: 'string' } })),
    get(object({ created_at: { type: 'string', format: 'date-time' } })),
  ],
  [
    'enum-without-values',
    'response.200.body.a',
    get(object({ a: { type: 'string', enum: [] } })),
    get(object({ a: { type: 'string', enum: ['x'] } })),
  ],
  [
    'null-spelled-twice',
    'response.200.body.a',
    get(object({ a: { type: ['string', 'null'], nullable: true } })),
    get(object({ a: { type: ['string', 'null'] } })),
  ],
  [
    'list-without-limit',
    'response.200.body',
    get({ type: 'array', items: { type: 'string' } }),
    get({ type: 'array', items: { type: 'string' } }, { query: { limit: 'integer' } }),
  ],
  [
    'same-operation-twice',
    'GET /a',
    { endpoints: [informal('string'), informal('integer')] },
    { endpoints: [informal('string')] },
  ],
  [
    'secret-in-example',
    'response.key',
    { ...informal({ key: `sk_live_${'a1'.repeat(10)}` }) },
    informal({ key: 'string' }),
  ],
]

describe('findings', () => {
  test.each(CASES)('%s is found at %s, and not where it is mended', (rule, at, wrong, right) => {
    expect(readInterface('api_endpoint', wrong).findings).toContainEqual(
      expect.objectContaining({ rule, at }),
    )
    expect(readInterface('api_endpoint', right).findings.map((one) => one.rule)).not.toContain(rule)
  })

  test('every rule has a case', () => {
    expect(CASES.map(([rule]) => rule)).toEqual([...RULES])
  })

  test('a contract that says all there is to say has none', () => {
    const content = get(
      object({ id: { type: 'string', format: 'uuid' }, role: { type: 'string', enum: ['a', 'b'] } }),
    )
    expect(readInterface('api_endpoint', content).findings).toEqual([])
  })
})
