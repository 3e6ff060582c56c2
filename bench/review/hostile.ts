import type { Json, JsonObject } from '../../src/protocol/json/json.ts'

export const many = (count: number, make: (index: number) => [string, Json]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))

const chain = (depth: number, leaf: Json, wrap: (inner: Json) => Json): Json => {
  let made = leaf
  for (let level = 0; level < depth; level++) made = wrap(made)
  return made
}

const unions = (count: number, leaf: Json): JsonObject => ({
  $ref: '#/$defs/U0',
  $defs: many(count, (index) => [
    `U${index}`,
    {
      oneOf: [
        leaf,
        ...Array.from({ length: 4 }, (_, next) => ({
          type: 'object',
          properties: { [`p${next}`]: { $ref: `#/$defs/U${(index * 7 + next + 1) % count}` }, v: leaf },
          required: ['v'],
        })),
      ],
    },
  ]),
})

/** Unions whose parts are other unions, each of which leads to the others again. */
const unionsOfUnions = (count: number, leaf: Json): JsonObject => ({
  $ref: '#/$defs/U0',
  $defs: many(count, (index) => [
    `U${index}`,
    {
      anyOf: [
        { type: 'object', properties: { [`k${index}`]: leaf } },
        ...Array.from({ length: 6 }, (_, next) => ({ $ref: `#/$defs/U${(index * 3 + next + 1) % count}` })),
      ],
    },
  ]),
})

const doubling = (levels: number, leaf: Json): JsonObject => ({
  $ref: '#/$defs/L0',
  $defs: {
    ...many(levels, (index) => [
      `L${index}`,
      {
        type: 'object',
        properties: { left: { $ref: `#/$defs/L${index + 1}` }, right: { $ref: `#/$defs/L${index + 1}` } },
      },
    ]),
    [`L${levels}`]: leaf,
  },
})

export const text = { type: 'string' }
export const number = { type: 'integer' }
export const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })

const listed = (count: number, make: (index: number) => Json): readonly Json[] =>
  Array.from({ length: count }, (_, index) => make(index))

const signedIn = (last: string): JsonObject => {
  const scopes = [...listed(15_000, (index) => `s${index}`), last]
  return {
    openapi: '3.1.0',
    paths: { '/a': { get: { security: [{ key: scopes }, { key: scopes }], responses: { 200: {} } } } },
    components: { securitySchemes: { key: { type: 'oauth2' } } },
  }
}

/** Each is hostile in a way of its own; what must come out is never «compatible» where something was not looked at. */
export const HOSTILE: readonly (readonly [string, Json, Json, readonly string[]])[] = [
  ['64 unions that lead to each other', unions(64, text), unions(64, number), ['unknown', 'breaking']],
  [
    '64 unions that consist of each other',
    unionsOfUnions(64, text),
    unionsOfUnions(64, number),
    ['unknown', 'breaking'],
  ],
  [
    'definitions that are used twice on 40 levels',
    doubling(40, text),
    doubling(40, number),
    ['unknown', 'breaking'],
  ],
  [
    '100,000 values',
    { enum: Array.from({ length: 100_000 }, (_, index) => index) },
    { enum: Array.from({ length: 100_000 }, (_, index) => index + 1) },
    ['unknown'],
  ],
  [
    'objects 60 deep',
    chain(60, text, (inner) => object({ a: inner })) as JsonObject,
    chain(60, number, (inner) => object({ a: inner })) as JsonObject,
    ['breaking', 'unknown'],
  ],
  [
    'objects 5,000 deep',
    chain(5000, text, (inner) => object({ a: inner })) as JsonObject,
    chain(5000, number, (inner) => object({ a: inner })) as JsonObject,
    ['unknown'],
  ],
  [
    'allOf 120 deep',
    chain(60, text, (inner) => ({ allOf: [inner] })) as JsonObject,
    chain(60, number, (inner) => ({ allOf: [inner] })) as JsonObject,
    ['breaking', 'unknown'],
  ],
  [
    '5,000 properties',
    object(many(5000, (index) => [`p${index}`, text])),
    object(many(5000, (index) => [`p${index}`, number])),
    ['breaking', 'unknown'],
  ],
  [
    'unions to be multiplied',
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
    ['unknown', 'breaking'],
  ],
  [
    'a reference to itself',
    { $ref: '#' },
    { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } },
    ['unknown', 'compatible'],
  ],
  ['a reference to nowhere', object({ a: { $ref: '#/$defs/None' } }), object({ a: text }), ['unknown']],
  [
    'a reference to a URL',
    object({ a: { $ref: 'https://example.org/a.json' } }),
    object({ a: { $ref: 'https://example.org/b.json' } }),
    ['unknown'],
  ],
  [
    'patterns that never end',
    object({ a: { type: 'string', pattern: '(a+)+$' } }),
    object({ a: { type: 'string', pattern: '(a+)+b$' } }),
    ['unknown'],
  ],
  [
    'references in a circle inside of a condition',
    {
      not: { $ref: '#/$defs/A' },
      $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }, text] }, B: { not: { $ref: '#/$defs/A' } } },
    },
    {
      not: { $ref: '#/$defs/A' },
      $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }, number] }, B: { not: { $ref: '#/$defs/A' } } },
    },
    ['unknown'],
  ],
  [
    '6,000 properties of one type each',
    object(many(6000, (index) => [`p${index}`, { type: 'string', pattern: '(a+)+$' }])),
    object(many(6000, (index) => [`p${index}`, { type: 'string', pattern: '(a+)+b$' }])),
    ['unknown'],
  ],
  [
    '4,900 fields in words of their own',
    { fields: many(4900, (index) => [`p${index}`, `enum(a${index}, b)`]) },
    { fields: many(4900, (index) => [`p${index}`, `enum(a${index}, c)`]) },
    ['unknown', 'breaking'],
  ],
  [
    '1,000 operations that all change',
    { endpoints: listed(1000, (index) => ({ method: 'GET', path: `/a${index}`, response: 'string' })) },
    { endpoints: listed(1000, (index) => ({ method: 'GET', path: `/a${index}`, response: 'integer' })) },
    ['unknown', 'breaking'],
  ],
  [
    'branches of texts that are compared with each other',
    { anyOf: listed(120, (index) => ({ type: 'string', minLength: index, pattern: `p${index}` })) },
    { anyOf: listed(120, (index) => ({ type: 'string', minLength: index, pattern: `q${index}` })) },
    ['unknown'],
  ],
  [
    'conditions that are written out for every property',
    {
      ...object(many(2000, (index) => [`p${index}`, { not: { $ref: '#/$defs/A' } }])),
      $defs: { A: object(many(500, (index) => [`q${index}`, text])) },
    },
    {
      ...object(many(2000, (index) => [`p${index}`, { not: { $ref: '#/$defs/A' } }])),
      $defs: { A: object(many(500, (index) => [`q${index}`, number])) },
    },
    ['unknown'],
  ],
  [
    '8,000 fields of protobuf',
    {
      proto: `message A { ${listed(8000, (index) => `string f${index} = ${Number(index) + 1};`).join(' ')} }`,
    },
    {
      proto: `message A { ${listed(8000, (index) => `int32 f${index} = ${Number(index) + 1};`).join(' ')} }`,
    },
    ['unknown', 'breaking'],
  ],
  [
    '8,000 fields of GraphQL',
    { graphql: `type Query { ${listed(8000, (index) => `f${index}: String`).join(' ')} }` },
    { graphql: `type Query { ${listed(8000, (index) => `f${index}: Int`).join(' ')} }` },
    ['unknown', 'breaking'],
  ],
  [
    'a name of 120,001 characters around all that changes',
    object({ [`${'[]'.repeat(60_000)}x`]: object(many(500, (index) => [`p${index}`, text])) }),
    object({ [`${'[]'.repeat(60_000)}x`]: object(many(500, (index) => [`p${index}`, number])) }),
    ['unknown'],
  ],
  [
    'a row of commas in an option of protobuf',
    { proto: `option a = ${','.repeat(200_000)} b; message A { string f = 1; }` },
    { proto: `option a = ${','.repeat(200_000)} b; message A { int32 f = 1; }` },
    ['unknown', 'breaking'],
  ],
  [
    'a server of 200,000 slashes',
    { openapi: '3.1.0', servers: [{ url: `${'/'.repeat(200_000)}a` }], paths: {} },
    { openapi: '3.1.0', servers: [{ url: `${'/'.repeat(200_000)}b` }], paths: {} },
    ['unknown', 'breaking'],
  ],
  ['15,001 scopes in two ways to sign in', signedIn('a'), signedIn('b'), ['unknown', 'breaking']],
  [
    'examples that are all the last of the values',
    object({ a: { enum: listed(10_000, (index) => index), examples: listed(10_000, () => 9999) } }),
    object({ a: { enum: listed(10_001, (index) => index), examples: listed(10_000, () => 10_000) } }),
    ['unknown', 'breaking'],
  ],
  [
    'the same name twice',
    JSON.parse('{"type":"object","properties":{"a":{"type":"string"},"a":{"type":"integer"}}}') as Json,
    JSON.parse('{"type":"object","properties":{"a":{"type":"integer"},"a":{"type":"string"}}}') as Json,
    ['breaking'],
  ],
]
