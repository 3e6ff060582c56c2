import type { Json, JsonObject } from '../../src/protocol/json/json.ts'
import {
  chain,
  document,
  doubling,
  hidden,
  joined,
  listed,
  many,
  messages,
  number,
  object,
  scopesForAll,
  signedIn,
  tagged,
  text,
  unions,
  unionsOfUnions,
  wordy,
} from './hostile-shapes.ts'
import { documentOf } from './large.ts'

/** Two contents that are hostile in a way of their own. */
export interface HostilePair {
  readonly name: string
  /** Makes them when they are needed, so that others are not in the way. */
  make(): readonly [Json, Json]
  /** What must come out is never «compatible» where something was not looked at. */
  readonly allowed: readonly string[]
}

export const HOSTILE: readonly HostilePair[] = [
  {
    name: '64 unions that lead to each other',
    make: () => [unions(64, text), unions(64, number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '64 unions that consist of each other',
    make: () => [unionsOfUnions(64, text), unionsOfUnions(64, number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'definitions that are used twice on 40 levels',
    make: () => [doubling(40, text), doubling(40, number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '100,000 values',
    make: () => [
      { enum: Array.from({ length: 100_000 }, (_, index) => index) },
      { enum: Array.from({ length: 100_000 }, (_, index) => index + 1) },
    ],
    allowed: ['unknown'],
  },
  {
    name: 'objects 60 deep',
    make: () => [
      chain(60, text, (inner) => object({ a: inner })) as JsonObject,
      chain(60, number, (inner) => object({ a: inner })) as JsonObject,
    ],
    allowed: ['breaking', 'unknown'],
  },
  {
    name: 'objects 5,000 deep',
    make: () => [
      chain(5000, text, (inner) => object({ a: inner })) as JsonObject,
      chain(5000, number, (inner) => object({ a: inner })) as JsonObject,
    ],
    allowed: ['unknown'],
  },
  {
    name: 'allOf 120 deep',
    make: () => [
      chain(60, text, (inner) => ({ allOf: [inner] })) as JsonObject,
      chain(60, number, (inner) => ({ allOf: [inner] })) as JsonObject,
    ],
    allowed: ['breaking', 'unknown'],
  },
  {
    name: '5,000 properties',
    make: () => [
      object(many(5000, (index) => [`p${index}`, text])),
      object(many(5000, (index) => [`p${index}`, number])),
    ],
    allowed: ['breaking', 'unknown'],
  },
  {
    name: 'unions to be multiplied',
    make: () => [
      {
        allOf: Array.from({ length: 12 }, (_, index) => ({
          anyOf: [object({ [`a${index}`]: text }), object({ [`b${index}`]: text })],
        })),
      },
      {
        allOf: Array.from({ length: 12 }, (_, index) => ({
          anyOf: [object({ [`a${index}`]: number }), object({ [`b${index}`]: text })],
        })),
      },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'a reference to itself',
    make: () => [{ $ref: '#' }, { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }],
    allowed: ['unknown', 'compatible'],
  },
  {
    name: 'a reference to nowhere',
    make: () => [object({ a: { $ref: '#/$defs/None' } }), object({ a: text })],
    allowed: ['unknown'],
  },
  {
    name: 'a reference to a URL',
    make: () => [
      object({ a: { $ref: 'https://example.org/a.json' } }),
      object({ a: { $ref: 'https://example.org/b.json' } }),
    ],
    allowed: ['unknown'],
  },
  {
    name: 'patterns that never end',
    make: () => [
      object({ a: { type: 'string', pattern: '(a+)+$' } }),
      object({ a: { type: 'string', pattern: '(a+)+b$' } }),
    ],
    allowed: ['unknown'],
  },
  {
    name: 'references in a circle inside of a condition',
    make: () => [
      {
        not: { $ref: '#/$defs/A' },
        $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }, text] }, B: { not: { $ref: '#/$defs/A' } } },
      },
      {
        not: { $ref: '#/$defs/A' },
        $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }, number] }, B: { not: { $ref: '#/$defs/A' } } },
      },
    ],
    allowed: ['unknown'],
  },
  {
    name: '6,000 properties of one type each',
    make: () => [
      object(many(6000, (index) => [`p${index}`, { type: 'string', pattern: '(a+)+$' }])),
      object(many(6000, (index) => [`p${index}`, { type: 'string', pattern: '(a+)+b$' }])),
    ],
    allowed: ['unknown'],
  },
  {
    name: '4,900 fields in words of their own',
    make: () => [
      { fields: many(4900, (index) => [`p${index}`, `enum(a${index}, b)`]) },
      { fields: many(4900, (index) => [`p${index}`, `enum(a${index}, c)`]) },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '1,000 operations that all change',
    make: () => [
      { endpoints: listed(1000, (index) => ({ method: 'GET', path: `/a${index}`, response: 'string' })) },
      { endpoints: listed(1000, (index) => ({ method: 'GET', path: `/a${index}`, response: 'integer' })) },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'branches of texts that are compared with each other',
    make: () => [
      { anyOf: listed(120, (index) => ({ type: 'string', minLength: index, pattern: `p${index}` })) },
      { anyOf: listed(120, (index) => ({ type: 'string', minLength: index, pattern: `q${index}` })) },
    ],
    allowed: ['unknown'],
  },
  {
    name: 'conditions that are written out for every property',
    make: () => [
      {
        ...object(many(2000, (index) => [`p${index}`, { not: { $ref: '#/$defs/A' } }])),
        $defs: { A: object(many(500, (index) => [`q${index}`, text])) },
      },
      {
        ...object(many(2000, (index) => [`p${index}`, { not: { $ref: '#/$defs/A' } }])),
        $defs: { A: object(many(500, (index) => [`q${index}`, number])) },
      },
    ],
    allowed: ['unknown'],
  },
  {
    name: '8,000 fields of protobuf',
    make: () => [
      {
        proto: `message A { ${listed(8000, (index) => `string f${index} = ${Number(index) + 1};`).join(' ')} }`,
      },
      {
        proto: `message A { ${listed(8000, (index) => `int32 f${index} = ${Number(index) + 1};`).join(' ')} }`,
      },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '8,000 fields of GraphQL',
    make: () => [
      { graphql: `type Query { ${listed(8000, (index) => `f${index}: String`).join(' ')} }` },
      { graphql: `type Query { ${listed(8000, (index) => `f${index}: Int`).join(' ')} }` },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'a name of 120,001 characters around all that changes',
    make: () => [
      object({ [`${'[]'.repeat(60_000)}x`]: object(many(500, (index) => [`p${index}`, text])) }),
      object({ [`${'[]'.repeat(60_000)}x`]: object(many(500, (index) => [`p${index}`, number])) }),
    ],
    allowed: ['unknown'],
  },
  {
    name: 'a row of commas in an option of protobuf',
    make: () => [
      { proto: `option a = ${','.repeat(200_000)} b; message A { string f = 1; }` },
      { proto: `option a = ${','.repeat(200_000)} b; message A { int32 f = 1; }` },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'a server of 200,000 slashes',
    make: () => [
      { openapi: '3.1.0', servers: [{ url: `${'/'.repeat(200_000)}a` }], paths: {} },
      { openapi: '3.1.0', servers: [{ url: `${'/'.repeat(200_000)}b` }], paths: {} },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '15,001 scopes in two ways to sign in',
    make: () => [signedIn('a'), signedIn('b')],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'examples that are all the last of the values',
    make: () => [
      object({ a: { enum: listed(10_000, (index) => index), examples: listed(10_000, () => 9999) } }),
      object({ a: { enum: listed(10_001, (index) => index), examples: listed(10_000, () => 10_000) } }),
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'the same name twice',
    make: () => [
      JSON.parse('{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"integer"}}}') as Json,
      JSON.parse('{"type":"object","properties":{"a":{"type":"integer"},"a":{"type":"string"}}}') as Json,
    ],
    allowed: ['breaking'],
  },
  {
    name: 'a document in which all leads to what changes',
    make: () => [documentOf(false), documentOf(true)],
    allowed: ['breaking'],
  },
  {
    name: '200 operations of a document that all change',
    make: () => [document(200, text), document(200, number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '8,000 scopes for 150 operations',
    make: () => [document(150, text, scopesForAll('s')), document(150, number, scopesForAll('t'))],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '1,600 properties that say all that can be said',
    make: () => [wordy('b'), wordy('c')],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '300 properties that are joined of others',
    make: () => [joined(text), joined(number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '100 parts of a union that lead to all of them',
    make: () => [tagged(text), tagged(number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: 'eight ways on eight levels to what is only read',
    make: () => [hidden(text), hidden(number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '350 messages with bindings',
    make: () => [messages(text), messages(number)],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '1,150 fields in words, no more than are read',
    make: () => [
      { fields: many(1150, (index) => [`p${index}`, `enum(a${index}, b)`]) },
      { fields: many(1150, (index) => [`p${index}`, `enum(a${index}, c)`]) },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '1,150 fields of protobuf, no more than are read',
    make: () => [
      { proto: `message A { ${listed(1150, (index) => `string f${index} = ${index + 1};`).join(' ')} }` },
      { proto: `message A { ${listed(1150, (index) => `int32 f${index} = ${index + 1};`).join(' ')} }` },
    ],
    allowed: ['unknown', 'breaking'],
  },
  {
    name: '2,300 fields of GraphQL, no more than are read',
    make: () => [
      { graphql: `type Query { ${listed(2300, (index) => `f${index}: String`).join(' ')} }` },
      { graphql: `type Query { ${listed(2300, (index) => `f${index}: Int`).join(' ')} }` },
    ],
    allowed: ['unknown', 'breaking'],
  },
]
