import type { JsonObject } from '../../src/protocol/json/json.ts'

/** Contents of the sizes that the figures are about, before and after a change somewhere inside. */

const KINDS: readonly JsonObject[] = [
  { type: 'string', format: 'date-time', description: 'when it happened, in UTC' },
  { type: 'integer', minimum: 0, maximum: 100_000 },
  { type: 'string', enum: ['open', 'paid', 'sent', 'returned'] },
  { type: ['string', 'null'], maxLength: 200 },
]

const record = (fields: number, isChanged: boolean): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [
      `field_${index}`,
      isChanged && index === 1 ? { type: 'integer', minimum: 1, maximum: 500 } : (KINDS[index % 4] ?? {}),
    ]),
  ),
  required: ['field_0', 'field_1', 'field_2'],
})

/** About 4 kB. */
export const httpContract = (isChanged: boolean): JsonObject => ({
  method: 'POST',
  path: '/orders/{orderId}/lines',
  parameters: [
    { name: 'orderId', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
    { name: 'limit', in: 'query', schema: { type: 'integer', maximum: isChanged ? 200 : 100 } },
  ],
  requestBody: { required: true, content: { 'application/json': { schema: record(24, isChanged) } } },
  responses: {
    200: { description: 'ok', content: { 'application/json': { schema: record(24, isChanged) } } },
    404: { description: 'no such order', content: { 'application/json': { schema: record(4, false) } } },
  },
})

const RESOURCES = 34

/** About 100 kB: resources that lead to others, the first one to itself, with four operations each. */
export function documentOf(isChanged: boolean): JsonObject {
  const numbers = Array.from({ length: RESOURCES }, (_, index) => index)
  const ref = (index: number): JsonObject => ({ $ref: `#/components/schemas/R${index}` })
  const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } })
  const answer = (schema: JsonObject): JsonObject => ({
    200: { description: 'ok', content: json(schema) },
    404: { $ref: '#/components/responses/Problem' },
  })
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }
  const paths = numbers.flatMap((index): [string, JsonObject][] => [
    [
      `/r${index}`,
      {
        get: {
          parameters: [{ $ref: '#/components/parameters/Limit' }],
          responses: answer({ type: 'array', items: ref(index) }),
        },
        post: { requestBody: { required: true, content: json(ref(index)) }, responses: answer(ref(index)) },
      },
    ],
    [
      `/r${index}/{id}`,
      {
        parameters: [id],
        get: { responses: answer(ref(index)) },
        put: { requestBody: { required: true, content: json(ref(index)) }, responses: answer(ref(index)) },
      },
    ],
  ])
  const schemas = numbers.map((index): [string, JsonObject] => [
    `R${index}`,
    {
      allOf: [
        record(20, isChanged && index % 10 === 0),
        {
          type: 'object',
          properties: { owner: ref(Math.floor(index / 2)), all: { type: 'array', items: ref(index >> 2) } },
        },
      ],
    },
  ])
  return {
    openapi: '3.1.0',
    info: { title: 'Resources', version: '1' },
    paths: Object.fromEntries(paths),
    components: {
      parameters: { Limit: { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } } },
      responses: { Problem: { description: 'wrong', content: json(record(3, false)) } },
      schemas: Object.fromEntries(schemas),
    },
  }
}
