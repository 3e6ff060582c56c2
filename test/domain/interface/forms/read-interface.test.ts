import { describe, expect, test } from 'vitest'
import { readInterface } from '../../../../src/domain/interface/review.ts'
import type { Json } from '../../../../src/protocol/json/json.ts'

const text = { type: 'string' }
const object = { type: 'object', properties: { a: text }, required: ['a'] }
const media = { content: { 'application/json': { schema: object } } }

/** `key: at sender` of every slot; a slot that may be left out ends in `?`, one that is not described in `-`. */
function slotsOf(type: string, content: Json): { form: string; slots: string[] } {
  const { form, operations } = readInterface(type, content)
  const slots = operations.flatMap(({ key, slots: own }) =>
    own.map(
      ({ at, sender, required, schema }) =>
        `${key}: ${at} ${sender}${required ? '' : '?'}${schema === null ? '-' : ''}`,
    ),
  )
  return { form, slots }
}

describe('content is read as what it is', () => {
  test.each<[string, string, Json, string, string[]]>([
    [
      'an informal operation',
      'api_endpoint',
      {
        method: 'post',
        path: '/users/:id/notes',
        query: { 'dry?': 'boolean' },
        headers: { 'X-Tenant': 'string' },
        params: { id: 'uuid' },
        body: { text: 'string' },
        status: 201,
        response: { id: 'uuid' },
        errors: { 404: 'nobody' },
      },
      'http',
      [
        'path.0 consumer',
        'query.dry consumer?',
        'header.x-tenant consumer',
        'request.body consumer',
        'response.201 provider-',
        'response.201.body provider',
        'response.404 provider-',
      ].map((slot) => `POST /users/{}/notes: ${slot}`),
    ],
    [
      'an operation in one text',
      'custom',
      { endpoint: 'GET /users/me', response: { status: 200, body: { id: 'uuid' } } },
      'http',
      ['GET /users/me: response.200 provider-', 'GET /users/me: response.200.body provider'],
    ],
    [
      'a formal operation',
      'api_endpoint',
      {
        method: 'GET',
        path: '/a/{id}',
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        responses: { 200: media, '4XX': { description: 'bad' } },
      },
      'http',
      [
        'path.0 consumer',
        'response.200 provider-',
        'response.200.body provider',
        'response.4xx provider-',
      ].map((slot) => `GET /a/{}: ${slot}`),
    ],
    [
      'an OpenAPI document',
      'custom',
      {
        openapi: '3.0.3',
        paths: { '/a': { post: { requestBody: { ...media, required: true }, responses: { 204: {} } } } },
      },
      'http',
      ['POST /a: request.body consumer', 'POST /a: response.204 provider-', 'POST /a: security consumer'],
    ],
    [
      'methods',
      'rpc_interface',
      {
        methods: {
          get: {
            params: { id: 'uuid', 'deep?': 'boolean' },
            result: { name: 'string' },
            errors: [{ code: -1 }],
          },
        },
      },
      'rpc',
      [
        'get: params.id consumer',
        'get: params.deep consumer?',
        'get: result provider',
        'get: response.error--1 provider-',
      ],
    ],
    [
      'an OpenRPC document',
      'custom',
      {
        openrpc: '1.2.6',
        methods: [
          {
            name: 'add',
            paramStructure: 'by-name',
            params: [{ name: 'a', required: true, schema: text }],
            result: { name: 'r', schema: text },
          },
        ],
      },
      'rpc',
      ['add: params.a consumer', 'add: result provider'],
    ],
    [
      'an event',
      'event_schema',
      { event: 'order.created', payload: { id: 'uuid' } },
      'event',
      ['order.created: event.payload provider'],
    ],
    [
      'an envelope of CloudEvents',
      'event_schema',
      { specversion: '1.0', type: 'com.example.order', source: '/orders', data: { id: 'uuid' } },
      'event',
      ['com.example.order: event.payload provider'],
    ],
    [
      'an AsyncAPI document',
      'custom',
      {
        asyncapi: '2.6.0',
        channels: {
          orders: { publish: { message: { payload: object } }, subscribe: { message: { payload: object } } },
        },
      },
      'event',
      ['send orders: event.payload consumer', 'receive orders: event.payload provider'],
    ],
    ['a JSON Schema', 'data_model', object, 'model', ['model: model both']],
    [
      'a model for one direction',
      'data_model',
      { schema: object, direction: 'request' },
      'model',
      ['model: model consumer'],
    ],
    ['fields', 'data_model', { fields: { id: 'uuid' } }, 'model', ['model: model both']],
    ['environment variables', 'config_spec', { env: { PORT: 'integer' } }, 'model', ['model: model both']],
    [
      'several models',
      'custom',
      { models: { A: { x: 'string' }, B: { a: 'A' } } },
      'model',
      ['model: model.A both', 'model: model.B both'],
    ],
    [
      'TypeScript',
      'custom',
      { ts: 'export interface A { b: B } interface B { c: string }' },
      'typescript',
      ['model: model.A both'],
    ],
    ['GraphQL', 'custom', { sdl: 'type Query { a: Int }' }, 'graphql', []],
    ['protobuf', 'custom', { proto: 'message A { string a = 1; }' }, 'protobuf', []],
  ])('%s', (_, type, content, form, slots) => {
    expect(slotsOf(type, content)).toEqual({ form, slots })
  })

  test.each<[string, Json, string]>([
    ['prose', { text: 'whatever' }, 'it is in no form that is known'],
    ['a list', [1], 'it is no object'],
    ['OpenAPI 2', { swagger: '2.0', paths: {} }, 'it is in no form that is known'],
    [
      'TypeScript with code',
      { ts: 'const a = 1' },
      'its typescript text is not read: «a» declares no type that is read',
    ],
    ['an unfinished proto', { proto: 'message A {' }, 'its protobuf text is not read: it ends too early'],
    [
      'a query instead of a schema',
      { graphql: 'query { a }' },
      'its graphql text is not read: «query» begins no declaration',
    ],
  ])('%s is opaque, and it is said why', (_, content, why) => {
    expect(readInterface('custom', content)).toMatchObject({ form: 'opaque', why })
  })

  test('the same object is read once', () => {
    const content = { fields: { id: 'uuid' } }
    expect(readInterface('data_model', content)).toBe(readInterface('data_model', content))
  })

  test('reading changes nothing in it', () => {
    const content = { method: 'GET', path: '/a/:id', types: { A: { b: 'string' } }, response: 'A' }
    const before = JSON.stringify(content)
    readInterface('api_endpoint', content)
    expect(JSON.stringify(content)).toBe(before)
  })
})
