import type { Json, JsonObject } from '../../src/protocol/json/json.ts'

/** What hostile contents are made of. */

export const many = (count: number, make: (index: number) => [string, Json]): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => make(index)))

export const chain = (depth: number, leaf: Json, wrap: (inner: Json) => Json): Json => {
  let made = leaf
  for (let level = 0; level < depth; level++) made = wrap(made)
  return made
}

export const unions = (count: number, leaf: Json): JsonObject => ({
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
export const unionsOfUnions = (count: number, leaf: Json): JsonObject => ({
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

export const doubling = (levels: number, leaf: Json): JsonObject => ({
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

export const listed = (count: number, make: (index: number) => Json): readonly Json[] =>
  Array.from({ length: count }, (_, index) => make(index))

export const signedIn = (last: string): JsonObject => {
  const scopes = [...listed(15_000, (index) => `s${index}`), last]
  return {
    openapi: '3.1.0',
    paths: { '/a': { get: { security: [{ key: scopes }, { key: scopes }], responses: { 200: {} } } } },
    components: { securitySchemes: { key: { type: 'oauth2' } } },
  }
}

/** A document of so many operations, of each of which something changes. */
export const document = (count: number, leaf: Json, more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  paths: many(count, (index) => [
    `/a${index}/{id}`,
    {
      get: {
        parameters: [
          { name: 'id', in: 'path', required: true, schema: text },
          { name: `q${index}`, in: 'query', schema: leaf },
        ],
        responses: {
          200: { content: { 'application/json': { schema: object({ [`p${index}`]: leaf, b: leaf }) } } },
          404: {},
        },
      },
    },
  ]),
  ...more,
})

export const scopesForAll = (letter: string): JsonObject => ({
  security: [{ key: listed(8000, (index) => `${letter}${index}`) }],
  components: { securitySchemes: { key: { type: 'oauth2' } } },
})

/** Properties that say all that can be said, nested once. */
export const wordy = (value: string): JsonObject =>
  object(
    many(40, (index) => [
      `p${index}`,
      object(
        many(40, (inner) => [
          `q${inner}`,
          { type: ['string', 'null'], enum: ['a', value, null], default: value, description: 'x' },
        ]),
      ),
    ]),
  )

export const joined = (leaf: Json): JsonObject => ({
  ...object(
    many(300, (index) => [
      `p${index}`,
      { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }, object({ [`z${index}`]: leaf })] },
    ]),
  ),
  $defs: {
    A: object(many(40, (index) => [`a${index}`, leaf])),
    B: object(many(40, (index) => [`b${index}`, text])),
  },
})

/** Parts of a union that lead to all of it again, told apart by a tag. */
export const tagged = (leaf: Json): JsonObject => ({
  $ref: '#/$defs/U',
  $defs: {
    U: { oneOf: listed(100, (index) => ({ $ref: `#/$defs/N${index}` })) },
    ...many(100, (index) => [
      `N${index}`,
      object({
        type: { const: `t${index}` },
        inner: { type: 'array', items: { $ref: '#/$defs/U' } },
        [`own${index}`]: leaf,
      }),
    ]),
  },
})

/** Eight ways on each of eight levels lead to whether a property is only read. */
export const hidden = (leaf: Json): JsonObject => ({
  direction: 'request',
  schema: {
    ...object(many(20, (index) => [`p${index}`, { $ref: '#/$defs/L0' }])),
    $defs: {
      ...many(8, (index) => [
        `L${index}`,
        { allOf: listed(8, () => ({ allOf: [{ $ref: `#/$defs/L${index + 1}` }] })) },
      ]),
      L8: object({ a: leaf, b: { type: 'string', readOnly: true } }),
    },
  },
})

export const messages = (leaf: Json): JsonObject => ({
  asyncapi: '2.6.0',
  channels: many(350, (index) => [
    `c${index}`,
    {
      bindings: { a: 1 },
      subscribe: { message: { name: 'm', payload: object({ a: leaf }), bindings: leaf } },
    },
  ]),
})
