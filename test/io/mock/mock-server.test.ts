import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { type Mocked, mockOf, servedAs } from './support.ts'

const GET_USER = servedAs(
  'Get «User»',
  {
    method: 'GET',
    path: '/users/{id}',
    params: { id: 'uuid' },
    query: { 'page?': 'integer', 'tag?': "('a'|'b')[]" },
    headers: { 'x-trace': 'string' },
    response: { id: 'uuid', email: 'email', role: "'admin'|'user'", 'note?': 'string or null' },
    errors: { 404: { message: 'string' }, 500: { message: 'string' } },
  },
  3,
)
const ADD_USER = servedAs('Add User', {
  method: 'POST',
  path: '/users',
  request: { email: 'email', 'age?': 'integer' },
  response: { status: 201, body: { id: 'uuid' } },
})
const DOCUMENT: JsonObject = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1' },
  paths: {
    '/pets': {
      get: {
        responses: {
          200: {
            description: 'all',
            headers: { 'x-total': { required: true, schema: { type: 'integer', minimum: 5, maximum: 5 } } },
            content: {
              'application/json': {
                schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
                examples: {
                  wrong: { value: [{ name: 7 }] },
                  two: { value: [{ name: 'Rex' }, { name: 'Tom' }] },
                  none: { value: [] },
                },
              },
              'text/plain': { schema: { type: 'string', enum: ['Rex, Tom'] } },
            },
          },
          default: {
            description: 'an error',
            content: {
              'application/problem+json': {
                schema: { type: 'object', required: ['code'], properties: { code: { type: 'integer' } } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: { Pet: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } },
  },
}

const ID = '0191f3b0-9d8a-7c3a-8b1e-0d6a1c2b3d4e'
const USER = `/users/${ID}`
const TRACED = { 'x-trace': 't' }

let mock: Mocked
beforeAll(async () => {
  mock = await mockOf([GET_USER, ADD_USER, servedAs('Pets', DOCUMENT)])
})
afterAll(() => mock[Symbol.asyncDispose]())

describe('a mock', () => {
  test('answers with values that fit, the same ones each time, and says of which contract', async () => {
    const { status, headers, json } = await mock.get(USER, TRACED)
    expect(status).toBe(200)
    expect(json).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: expect.stringContaining('@'),
      role: expect.stringMatching(/^(admin|user)$/),
      note: expect.toSatisfy((note) => note === null || typeof note === 'string'),
    })
    expect(decodeURIComponent(headers.get('cacp-contract') ?? '')).toBe('Get «User»')
    expect(headers.get('cacp-version')).toBe('3')
    expect((await mock.get(USER, TRACED)).json).toEqual(json)
    await using other = await mockOf([GET_USER], { seed: 2 })
    expect((await other.get(USER, TRACED)).json).not.toEqual(json)
  })

  test('takes an example of the contract if it fits, and the one that the caller wants', async () => {
    const first = await mock.get('/pets')
    expect(first.json).toEqual([{ name: 'Rex' }, { name: 'Tom' }])
    expect(first.headers.get('x-total')).toBe('5')
    expect((await mock.get('/pets', { prefer: 'example=none' })).json).toEqual([])
    expect(await mock.get('/pets', { prefer: 'example=wrong' })).toMatchObject({
      status: 404,
      json: { title: 'No such example', examples: ['two', 'none'] },
    })
  })

  test('answers with the status and the media type that the caller prefers', async () => {
    expect(await mock.get(USER, { ...TRACED, prefer: 'code=404' })).toMatchObject({
      status: 404,
      json: { message: expect.any(String) },
    })
    const failed = await mock.get('/pets', { prefer: 'code=418' })
    expect(failed).toMatchObject({ status: 418, json: { code: expect.any(Number) } })
    expect(failed.headers.get('content-type')).toBe('application/problem+json')
    expect((await mock.get('/pets', { accept: 'text/plain' })).text).toBe('Rex, Tom')
    expect(await mock.get(USER, { ...TRACED, prefer: 'code=418' })).toMatchObject({
      status: 404,
      json: { title: 'No such answer', described: ['200', '404', '500'] },
    })
  })

  test('names the nearest operations where none is agreed', async () => {
    expect(await mock.get('/user/7')).toMatchObject({
      status: 404,
      json: {
        type: 'about:blank',
        title: 'Not agreed',
        detail: 'No contract in force describes GET /user/7',
        nearest: ['GET /users/{}', expect.any(String), expect.any(String)],
      },
    })
    expect(mock.told.at(-1)).toMatch(/^GET \/user\/7: 404 /)
    expect((await mock.send('DELETE', '/users', '')).status).toBe(404)
  })

  test('refuses what does not fit, with every field that is wrong', async () => {
    expect(await mock.get('/users/7?page=two&tag=a&tag=c')).toMatchObject({
      status: 422,
      json: {
        contract: 'Get «User»',
        version: 3,
        fields: [
          { at: 'path.0', problem: 'must match format "uuid"' },
          { at: 'query.page', problem: 'must be integer' },
          { at: 'query.tag[1]', problem: 'must be equal to one of the allowed values' },
          { at: 'header.x-trace', problem: 'is missing' },
        ],
      },
    })
    expect((await mock.send('POST', '/users', { age: 1.5 })).json.fields).toEqual([
      { at: 'request.body.email', problem: 'is required' },
      { at: 'request.body.age', problem: 'must be integer' },
    ])
    expect((await mock.send('POST', '/users', '{"email"')).json.fields).toEqual([
      { at: 'request.body', problem: 'is no JSON' },
    ])
    expect((await mock.send('POST', '/users', 'a=b', { 'content-type': 'text/csv' })).json.fields).toEqual([
      { at: 'request.body', problem: 'is text/csv; described is application/json' },
    ])
    expect((await mock.send('POST', '/users', '')).json.fields).toEqual([
      { at: 'request.body', problem: 'is missing' },
    ])
    expect((await mock.send('POST', '/users', { email: 'a@example.com', extra: true })).status).toBe(201)
    expect((await mock.get(`${USER}?page=2&tag=a,b&other=1`, TRACED)).status).toBe(200)
  })

  test('answers what does not fit all the same where it is lenient', async () => {
    await using lenient = await mockOf([GET_USER], { isLenient: true })
    expect((await lenient.get('/users/7')).status).toBe(200)
  })

  test('fails as often as it is told, as the contract describes failures, and the same requests again', async () => {
    const statuses = async (failShare: number) => {
      await using failing = await mockOf([GET_USER], { failShare })
      const got = []
      for (let round = 0; round < 40; round++) got.push((await failing.get(USER, TRACED)).status)
      return got
    }
    const some = await statuses(0.5)
    expect(new Set(some)).toEqual(new Set([200, 500]))
    expect(await statuses(0.5)).toEqual(some)
    expect(new Set(await statuses(1))).toEqual(new Set([500]))
    await using undescribed = await mockOf([ADD_USER], { failShare: 1 })
    expect(await undescribed.send('POST', '/users', { email: 'a@example.com' })).toMatchObject({
      status: 503,
      json: { title: 'Failed on purpose' },
    })
  })

  test('waits before it answers', async () => {
    await using slow = await mockOf([GET_USER], { delayMillis: 60 })
    const began = performance.now()
    await slow.get(USER, TRACED)
    expect(performance.now() - began).toBeGreaterThan(55)
  })

  test('lets pages of this machine read it, and no others', async () => {
    const asked = { origin: 'http://localhost:5173', 'access-control-request-method': 'PUT' }
    const allowed = await fetch(`${mock.url}/pets`, { method: 'OPTIONS', headers: asked })
    expect(allowed.status).toBe(204)
    expect(allowed.headers.get('access-control-allow-origin')).toBe('http://localhost:5173')
    const elsewhere = await mock.get('/pets', { origin: 'https://example.com' })
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
    expect(await statusWithHost('rebound.example.com')).toBe(403)
    expect(await statusWithHost('localhost:1')).toBe(200)
  })

  test('takes no body without end', async () => {
    const reply = await mock.send('POST', '/users', JSON.stringify({ email: 'x'.repeat(1024 * 1024) }))
    expect(reply).toMatchObject({ status: 413, json: { title: 'Too large' } })
  })
})

const statusWithHost = (host: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    request(`${mock.url}/pets`, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .on('error', reject)
      .end()
  })

describe('a schema', () => {
  const answering = (schema: JsonObject, types: JsonObject = {}) =>
    mockOf([servedAs('One', { method: 'GET', path: '/one', responses: { 200: { schema } }, $defs: types })])

  test.each<[string, JsonObject]>([
    ['that no value fits', { type: 'object', required: ['a'], properties: { a: { not: {} } } }],
    ['that contradicts itself', { type: 'integer', minimum: 5, maximum: 4 }],
    ['that wants a list of a billion', { type: 'array', items: { type: 'string' }, minItems: 1e9 }],
    ['that wants a text of a billion', { type: 'string', minLength: 1e9 }],
    [
      'that leads out of the contract',
      { type: 'object', required: ['a'], properties: { a: { $ref: 'https://example.com/a.json' } } },
    ],
  ])('%s gets no made-up answer', async (_, schema) => {
    await using server = await answering(schema)
    expect(await server.get('/one')).toMatchObject({
      status: 501,
      json: { title: 'No sample', at: 'response.200.body' },
    })
  })

  test('that never ends gets no made-up answer', async () => {
    const type = { type: 'object', required: ['a'], properties: { a: { $ref: '#/$defs/endless' } } }
    await using server = await answering({ $ref: '#/$defs/endless' }, { endless: type })
    expect((await server.get('/one')).status).toBe(501)
  })

  test('whose pattern takes for ever on some text stops nobody for long', async () => {
    await using server = await mockOf([
      servedAs('Slow', {
        method: 'POST',
        path: '/slow',
        requestBody: { content: { 'application/json': { schema: { type: 'string', pattern: '^(a+)+$' } } } },
        responses: { 204: null },
      }),
    ])
    const began = performance.now()
    await server.send('POST', '/slow', JSON.stringify(`${'a'.repeat(60)}!`))
    expect(performance.now() - began).toBeLessThan(5000)
    expect((await server.send('POST', '/slow', JSON.stringify('b'))).status).toBe(422)
    expect((await server.send('POST', '/slow', JSON.stringify('aaa'))).status).toBe(204)
  })

  test('that goes in circles is answered with an end', async () => {
    const tree = {
      type: 'object',
      required: ['name', 'children'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
    }
    await using server = await answering({ $ref: '#/$defs/tree' }, { tree })
    expect((await server.get('/one')).json).toMatchObject({
      name: expect.any(String),
      children: expect.any(Array),
    })
  })
})
