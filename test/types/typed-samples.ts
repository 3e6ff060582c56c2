import { sample } from 'fast-check'
import type { InForce } from '../../src/domain/types/types.ts'
import type { Json, JsonObject } from '../../src/protocol/json/json.ts'
import { wholeSchema } from '../domain/interface/laws/arbitrary-schemas.ts'
import { samplesOf } from '../support/schema-samples.ts'

/** Contracts of all kinds, with values that they allow and the name of the type that each has to fit. */
export interface TypedSample {
  readonly type: string
  readonly value: Json
}

const model = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...more,
})

/** Names that some language gives a meaning to, or cannot write. */
const HOSTILE_NAMES = [
  '__proto__',
  'constructor',
  'class',
  'from',
  'None',
  'type',
  'func',
  'str',
  'typing',
  'Größe',
  '用户',
  'a b',
  'a-b',
  'a_b',
  'A_B',
  '1st',
  '😀',
]
/** No tag of a Go struct can say these. */
const UNTAGGABLE = ['', 'a,b', 'quo"te', 'back\\slash', 'new\nline', '`tick`', '\u202e']

const textFields = (names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]))

const SCHEMAS: Readonly<Record<string, JsonObject>> = {
  'Hostile Names': model(textFields(HOSTILE_NAMES), { required: HOSTILE_NAMES.slice(0, 3) }),
  Untaggable: model(textFields(UNTAGGABLE)),
  Minus: model(textFields(['-', '-,']), { required: ['-'] }),
  Nulls: model(
    {
      a: { type: ['string', 'null'] },
      b: { type: ['integer', 'null'] },
      c: { anyOf: [{ type: 'array', items: {} }, { type: 'null' }] },
    },
    { required: ['a'] },
  ),
  Enums: model({
    one: { const: 'only' },
    text: { enum: ['a b', '', 'é', 'quo"te', '`', '😀'] },
    number: { enum: [1, 2.5, -3] },
    mixed: { enum: ['x', 1, true, null] },
    flag: { enum: [true] },
  }),
  Maps: model({
    of: { type: 'object', additionalProperties: { type: ['number', 'null'] } },
    free: { type: 'object' },
    both: {
      type: 'object',
      properties: { a: { type: 'string' } },
      additionalProperties: { type: 'integer' },
    },
  }),
  Tuples: model({
    pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false },
  }),
  Tree: model({
    children: { type: 'array', items: { $ref: '#' } },
    parent: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
  }),
  Unions: {
    ...model({ pet: { oneOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }, { type: 'string' }] } }),
    $defs: {
      Cat: model({ kind: { const: 'cat' }, lives: { type: 'integer' } }, { required: ['kind'] }),
      Dog: model({ kind: { const: 'dog' }, owner: { $ref: '#/$defs/Person' } }, { required: ['kind'] }),
      Person: model({ pets: { type: 'array', items: { $ref: '#/$defs/Cat' } } }),
    },
  },
  'Endless Value': {
    ...model({ self: { $ref: '#' }, other: { $ref: '#/$defs/A' } }, { required: ['self'] }),
    $defs: {
      A: model({ b: { $ref: '#/$defs/B' } }, { required: ['b'] }),
      B: model({ a: { $ref: '#/$defs/A' } }, { required: ['a'] }),
    },
  },
  'List Of Lists': {
    $ref: '#/$defs/Lists',
    $defs: { Lists: { type: 'array', items: { $ref: '#/$defs/Lists' } } },
  },
  Joined: model({
    both: {
      allOf: [model({ a: { type: 'string' } }, { additionalProperties: true }), { required: ['a', 'z'] }],
    },
  }),
}

const generated = sample(wholeSchema, { numRuns: 60, seed: 20 }).map(
  (schema, index) => [`Model ${index}`, schema] as const,
)

const schemas = [...Object.entries(SCHEMAS), ...generated]

export const CONTRACTS: readonly InForce[] = [
  ...schemas.map(([name, content], index) => ({
    contractId: `c${index}`,
    name,
    type: 'data_model',
    version: 1,
    content,
  })),
  ...(
    [
      [
        'Get User',
        'api_endpoint',
        {
          method: 'GET',
          path: '/users/{userId}',
          query: { 'page?': 'integer' },
          response: { id: 'uuid', 'nick?': 'string or null', role: 'enum(admin, user)' },
          errors: { 404: { code: 'string' } },
        },
      ],
      [
        'Users',
        'custom',
        {
          graphql:
            'type Query { me: User } type User { id: ID! friends: [User!] } enum Role { ADMIN USER } input Filter { role: Role = ADMIN } union Any = User | Query scalar Time',
        },
      ],
      [
        'Orders',
        'custom',
        {
          proto:
            'syntax = "proto3"; message Order { int64 id = 1; repeated Line lines = 2; map<string, Line> by_name = 3; enum State { NEW = 0; } State state = 4; message Line { string name = 1; } }',
        },
      ],
      ['Not\nUnderstood */ "', 'custom', { hello: { there: 1 } }],
      ['', 'data_model', { fields: { id: 'string' } }],
      ['用户', 'data_model', { fields: { id: 'string' } }],
    ] as const
  ).map(([name, type, content], index) => ({
    contractId: `t${index}`,
    name,
    type,
    version: 2,
    content: content as JsonObject,
  })),
]

/** By the rule that a contract without a place of its own is called by its name. */
const typeName = (name: string): string => name.replaceAll(' ', '')

/** Made by hand: what makes the others would take `__proto__` for something that every object has. */
const hostile = JSON.parse(`{${HOSTILE_NAMES.map((name) => `${JSON.stringify(name)}: "x"`).join()}}`) as Json

export const SAMPLES: readonly TypedSample[] = schemas.flatMap(([name, schema]) =>
  name === 'Hostile Names'
    ? [{ type: typeName(name), value: hostile }]
    : samplesOf(schema, { seeds: 6, most: 6 })
        .filter((value) => isExact(value))
        .map((value) => ({ type: typeName(name), value: value as Json })),
)

/** Whole numbers that are larger than a language can hold are no matter of types. */
function isExact(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) < 2 ** 53
  return typeof value !== 'object' || value === null || Object.values(value).every(isExact)
}
