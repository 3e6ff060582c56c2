import { validate } from '@readme/openapi-parser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApiDocument } from '../../../src/describe/openapi.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'

interface Operation {
  summary: string
  'x-undescribed'?: true
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { content?: Record<string, { schema: object }> }>
}

let backend: TestDaemon
let document: {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { required?: string[] }> }
}

beforeAll(async () => {
  backend = await daemon()
  document = (await backend.fetch('/openapi.json', { headers: { authorization: '' } })).json
})
afterAll(() => backend[Symbol.asyncDispose]())

const operations = (): (readonly [string, Operation])[] =>
  Object.entries(document.paths).flatMap(([path, verbs]) =>
    Object.entries(verbs).map(([verb, operation]) => [`${verb} ${path}`, operation] as const),
  )

describe('GET /openapi.json', () => {
  test('is a valid OpenAPI 3.1 document, by the word of a strict parser [transport-openapi-1] TR-23', async () => {
    expect(document.openapi).toBe('3.1.0')
    // A copy, because the parser puts references in the place of what they refer to.
    const result = await validate(structuredClone(document) as never)
    expect(result).toMatchObject({ valid: true, warnings: [] })
  })

  test('describes every route of the daemon, and POST /', () => {
    expect(operations().map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'post /',
        'get /health',
        'get /openapi.json',
        'get /files/{sha256}',
        'post /v1/assist',
        'get /v1/health',
        'get /v1/conversations/{conversation_id}',
      ]),
    )
    const undescribed = operations().filter(([, operation]) => operation['x-undescribed'] === true)
    expect(undescribed.map(([name]) => name)).toEqual([])
  })

  test('marks a route that says nothing of itself', () => {
    const made = openApiDocument([{ verb: 'get', path: '/new', access: 'read' }], {
      version: '1.0.0',
      url: 'http://127.0.0.1:1',
    })
    expect(made).toMatchObject({ paths: { '/new': { get: { 'x-undescribed': true } } } })
  })

  test('has both media types and the error bodies of /v1/assist [transport-openapi-2] TR-23', () => {
    const post = document.paths['/v1/assist']?.['post']
    expect(post?.summary).toBe('Invoke Agent')
    expect(document.components.schemas['AgentRequest']?.required).toEqual(['session_id', 'payload'])
    expect(post?.requestBody?.content['application/json']?.schema).toEqual({
      anyOf: [{ $ref: '#/components/schemas/AgentRequest' }, { $ref: '#/components/schemas/ServiceRequest' }],
    })
    expect(Object.keys(post?.responses['200']?.content ?? {})).toEqual([
      'application/json',
      'text/event-stream',
    ])
    const stream = post?.responses['200']?.content?.['text/event-stream']
    expect(stream).toMatchObject({
      schema: { type: 'string' },
      'x-item-schema': {
        anyOf: [{ $ref: '#/components/schemas/CloudEvent' }, { $ref: '#/components/schemas/StreamPacket' }],
      },
    })
    for (const status of ['400', '401', '415', '429', '500', 'default'])
      expect(post?.responses[status]?.content?.['application/json']?.schema).toEqual({
        anyOf: [
          { $ref: '#/components/schemas/TransportError' },
          { $ref: '#/components/schemas/UserErrorEvent' },
        ],
      })
  })

  test('has an error body for every operation', () => {
    for (const [name, { responses }] of operations())
      expect({ name, schema: responses['500']?.content?.['application/json']?.schema }).toEqual({
        name,
        schema: expect.any(Object),
      })
  })
})
