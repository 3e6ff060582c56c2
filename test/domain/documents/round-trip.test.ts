import asyncApiSpecs from '@asyncapi/specs'
import { validate } from '@readme/openapi-parser'
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matcherOf, reviewOf } from '../../../src/domain/documents/compare.ts'
import type { Item } from '../../../src/domain/documents/item.ts'
import { splitDocument } from '../../../src/domain/documents/split.ts'
import { toAsyncApi } from '../../../src/domain/documents/to-asyncapi.ts'
import { toOpenApi } from '../../../src/domain/documents/to-openapi.ts'
import type { InForce } from '../../../src/domain/types/types.ts'
import type { Json, JsonObject } from '../../../src/protocol/json/json.ts'
import { payments } from '../interface/edits/payments.ts'
import { shop } from '../interface/edits/shop.ts'
import { wholeSchema } from '../interface/laws/arbitrary-schemas.ts'

const itemsOf = (document: JsonObject): readonly Item[] => {
  const { items, refused } = splitDocument(document, { source: 'doc.yaml', fallback: 'doc' })
  expect(refused).toEqual([])
  return items
}
const agreed = (items: readonly Item[]): InForce[] =>
  items.map((item, index) => ({ ...item, contractId: `c${index}`, version: 1 }))

/** What is different in meaning between what was there before and what came back. */
function differences(before: readonly InForce[], after: readonly Item[]): unknown[] {
  const find = matcherOf(before.map((one) => ({ ...one, inForce: { version: 1, content: one.content } })))
  expect(after.length).toBe(before.length)
  return after.flatMap((item) => {
    const contract = find(item)
    if (contract === undefined) return [`${item.name} is of no contract`]
    return reviewOf(contract.type, contract.content, item.content).all.map(
      ({ at, say }) => `${item.name}: ${at}: ${say}`,
    )
  })
}

async function openApiProblems(document: JsonObject): Promise<unknown> {
  const result = await validate(structuredClone(document) as never)
  return result.valid ? [] : result.errors
}

const ajv = new Ajv({ strict: false, logger: false, validateFormats: false })
const isAsyncApi = ajv.compile(asyncApiSpecs.schemasWithoutId['3.0.0'] as JsonObject)
const asyncApiProblems = (document: JsonObject): unknown => (isAsyncApi(document) ? [] : isAsyncApi.errors)

/** A document whose operations answer with these schemas; what those define stands beside them. */
function openApiOf(schemas: readonly JsonObject[], version = '3.1.0'): JsonObject {
  const paths = schemas.map(({ $defs: _, ...schema }, index) => [
    `/things/{id}/${index}`,
    {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        requestBody: { content: { 'application/json': { schema: moved(schema, index) } } },
        responses: {
          200: { description: '', content: { 'application/json': { schema: moved(schema, index) } } },
        },
      },
    },
  ])
  const defined = schemas.flatMap(({ $defs = {} }, index) =>
    Object.entries($defs as JsonObject).map(([name, one]) => [`${name}${index}`, moved(one ?? {}, index)]),
  )
  return {
    openapi: version,
    info: { title: 'Things', version: '1' },
    servers: [{ url: 'https://example.com/v1' }],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(defined) },
  }
}

const moved = (schema: Json, index: number): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll(/"#\/\$defs\/(\w+)"/g, `"#/components/schemas/$1${index}"`))

describe.each([
  ['shop', shop() as JsonObject],
  ['payments', payments() as JsonObject],
])('the document %s', (_, document) => {
  test('becomes one contract for each operation, and comes back the same as a valid document', async () => {
    const contracts = agreed(itemsOf(document))
    expect(contracts.length).toBeGreaterThan(1)
    const { document: made, left } = toOpenApi(contracts, 'Back')
    expect(left).toEqual([])
    expect(await openApiProblems(made)).toEqual([])
    expect(differences(contracts, itemsOf(made))).toEqual([])
  })
})

test('what random documents say, of several with the same names in them, comes back the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(wholeSchema, { minLength: 1, maxLength: 3 }), async (schemas) => {
      // Each document alone, so that what they define has the same names and is not the same.
      const contracts = agreed(
        schemas.flatMap((schema, index) =>
          itemsOf(JSON.parse(JSON.stringify(openApiOf([schema])).replaceAll('/things/', `/things${index}/`))),
        ),
      )
      const { document, left } = toOpenApi(contracts, 'Back')
      expect(left).toEqual([])
      expect(differences(contracts, itemsOf(document))).toEqual([])
      expect(await openApiProblems(document)).toEqual([])
    }),
    { numRuns: 25 },
  )
})

test('contracts in words become a valid document of OpenAPI that means the same', async () => {
  const contents: Record<string, JsonObject> = {
    'Get User': {
      method: 'GET',
      path: '/users/:id',
      params: { id: 'uuid' },
      query: { 'page?': 'integer' },
      headers: { 'x-trace?': 'string' },
      response: { id: 'uuid', 'nick?': 'string or null', friends: 'Friend[]' },
      errors: { 404: { code: 'string' } },
      types: { Friend: { id: 'uuid', best: 'Friend?' } },
    },
    'Put User': {
      method: 'PUT',
      path: '/users/{userId}',
      params: { userId: 'uuid' },
      body: { name: 'string' },
      response: { ok: 'boolean' },
    },
    'Old One': {
      openapi: '3.0.3',
      info: { title: '', version: '1' },
      paths: {
        '/old': {
          get: {
            responses: {
              200: {
                description: '',
                content: { 'application/json': { schema: { type: 'string', nullable: true } } },
              },
            },
          },
        },
      },
    },
  }
  const contracts = Object.entries(contents).map(
    ([name, content], index): InForce => ({
      contractId: `c${index}`,
      name,
      type: 'api_endpoint',
      version: 1,
      content,
    }),
  )
  const { document, left } = toOpenApi(contracts, 'Words')
  expect(left).toEqual([])
  expect(await openApiProblems(document)).toEqual([])
  expect(differences(contracts, itemsOf(document))).toEqual([])
})

describe('AsyncAPI', () => {
  const payload = {
    type: 'object',
    properties: { id: { $ref: '#/components/schemas/Id' } },
    required: ['id'],
  }
  const components = { schemas: { Id: { type: 'string' } }, messages: { paid: { name: 'paid', payload } } }
  const info = { title: 'Orders', version: '1' }
  const three: JsonObject = {
    asyncapi: '3.0.0',
    info,
    channels: {
      orders: {
        address: 'shop.orders',
        messages: { created: { payload }, paid: { $ref: '#/components/messages/paid' } },
      },
      commands: { address: 'shop.commands', messages: { cancel: { payload, headers: { type: 'object' } } } },
    },
    operations: {
      sendOrders: { action: 'send', channel: { $ref: '#/channels/orders' } },
      takeCommands: {
        action: 'receive',
        channel: { $ref: '#/channels/commands' },
        messages: [{ $ref: '#/channels/commands/messages/cancel' }],
      },
    },
    components,
  }

  test('of version 3 becomes one contract for each message, and comes back the same as a valid document', () => {
    const contracts = agreed(itemsOf(three))
    expect(contracts.map(({ name }) => name)).toEqual([
      'receive shop.orders created',
      'receive shop.orders paid',
      'send shop.commands cancel',
    ])
    const { document, left } = toAsyncApi(contracts, 'Back')
    expect(left).toEqual([])
    expect(asyncApiProblems(document)).toEqual([])
    expect(differences(contracts, itemsOf(document))).toEqual([])
  })

  test('of version 2, and events in words, become a valid document of version 3 with the same payloads', () => {
    const two: JsonObject = {
      asyncapi: '2.6.0',
      info,
      channels: {
        orders: {
          subscribe: {
            message: {
              oneOf: [
                { name: 'created', payload },
                { name: 'gone', payload },
              ],
            },
          },
        },
      },
      components,
    }
    const contracts: InForce[] = [
      ...agreed(itemsOf(two)),
      {
        contractId: 'w',
        name: 'User Registered',
        type: 'event_schema',
        version: 1,
        content: {
          event: 'user.registered',
          topic: 'users',
          payload: { id: 'uuid', 'by?': 'string or null' },
        },
      },
    ]
    const { document, left } = toAsyncApi(contracts, 'Back')
    expect(left).toEqual([])
    expect(asyncApiProblems(document)).toEqual([])
    const back = itemsOf(document)
    expect(back.map(({ name }) => name)).toEqual([
      'receive orders created',
      'receive orders gone',
      'receive users user.registered',
    ])
    expect(reviewOf('event_schema', contracts[0]?.content ?? {}, back[0]?.content ?? {}).all).toEqual([])
  })
})

test('what is of another form is left out by name', () => {
  const other: InForce = {
    contractId: 'c',
    name: 'User',
    type: 'data_model',
    version: 1,
    content: { fields: { id: 'uuid' } },
  }
  expect(toOpenApi([other], '').left).toEqual([{ name: 'User', why: 'it is model' }])
  expect(toAsyncApi([other], '').left).toEqual([{ name: 'User', why: 'it is model' }])
})
