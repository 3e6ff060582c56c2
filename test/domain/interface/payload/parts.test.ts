import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { mainParts, partAt } from '../../../../src/domain/interface/payload/parts.ts'
import { readInterface } from '../../../../src/domain/interface/review.ts'
import type { Json, JsonObject } from '../../../../src/protocol/json/json.ts'

const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js')
const { default: Ajv } = createRequire(import.meta.url)('ajv')
const { default: addFormats } = createRequire(import.meta.url)('ajv-formats')

/** Whether a value fits a part of a contract, by a validator that knows nothing of contracts. */
function fits(content: JsonObject, at: string, value: Json): boolean {
  const part = partAt(readInterface('api_endpoint', content), at)
  if (part === undefined) throw new Error(`no part ${at}`)
  const isOld = part.schema['$schema'] !== undefined
  const ajv = new (isOld ? Ajv : Ajv2020)({ strict: false, logger: false })
  addFormats(ajv)
  return ajv.validate(part.schema, value)
}

const ID = '0191f3b0-9d8a-7c3a-8b1e-0d6a1c2b3d4e'

describe('the parts of a contract', () => {
  test('are those that are sent as a whole, without parameters and errors', () => {
    const content = {
      method: 'PUT',
      path: '/users/{id}',
      params: { id: 'uuid' },
      headers: { 'x-trace': 'string' },
      request: { name: 'string' },
      response: { id: 'uuid' },
      errors: { 404: { message: 'string' } },
    }
    const read = readInterface('api_endpoint', content)
    expect(mainParts(read)).toEqual(['request.body', 'response.200.body'])
    expect(partAt(read, 'response.404.body')?.schema).toMatchObject({ required: ['message'] })
    expect(partAt(read, 'response.500.body')).toBeUndefined()
    expect(partAt(read, 'method')).toBeUndefined()
  })

  test('are none of what is not understood', () => {
    expect(mainParts(readInterface('custom', { whatever: 1 }))).toEqual([])
  })
})

describe('a schema that stands for itself', () => {
  test('says what type words and names of types say', () => {
    const content = {
      method: 'GET',
      path: '/users',
      response: { users: 'User[]', 'next?': 'string or null' },
      types: { User: { id: 'uuid', role: "'admin'|'user'" } },
    }
    const at = 'response.200.body'
    expect(fits(content, at, { users: [{ id: ID, role: 'admin' }], next: null })).toBe(true)
    expect(fits(content, at, { users: [{ id: ID, role: 'owner' }] })).toBe(false)
    expect(fits(content, at, { users: [{ id: 'x', role: 'user' }] })).toBe(false)
    expect(fits(content, at, {})).toBe(false)
  })

  test('takes along what it refers to in a document, however that goes in circles', () => {
    const content = {
      openapi: '3.0.3',
      info: { title: 'x', version: '1' },
      paths: {
        '/tree': {
          post: {
            requestBody: {
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
            },
            responses: { 204: { description: 'done' } },
          },
        },
      },
      components: {
        schemas: {
          Tree: {
            type: 'object',
            required: ['id', 'size'],
            properties: {
              id: { type: 'string', readOnly: true },
              size: { type: 'number', minimum: 0, exclusiveMinimum: true },
              note: { type: 'string', nullable: true },
              left: { $ref: '#/components/schemas/Tree', description: 'ignored beside a reference' },
            },
          },
        },
      },
    }
    const [at = ''] = mainParts(readInterface('api_endpoint', content))
    expect(at).toMatch(/request\.body$/)
    expect(fits(content, at, { size: 1, note: null, left: { size: 2 } })).toBe(true)
    expect(fits(content, at, { size: 0 })).toBe(false)
    expect(fits(content, at, { size: 1, left: { size: '2' } })).toBe(false)
    expect(fits(content, at, { id: 'a' })).toBe(false)
  })

  test('reads a tuple of an old draft in the words of the newer one', () => {
    const schema = { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'number' } }
    expect(fits({ schema }, 'model', ['a', 1])).toBe(true)
    expect(fits({ schema }, 'model', [1])).toBe(false)
    expect(fits({ schema }, 'model', ['a', 'b'])).toBe(false)
  })

  test('names the places at which nothing is asked, because their words are not understood', () => {
    const content = { method: 'GET', path: '/x', response: { a: 'string', b: 'a frobnicated thing' } }
    expect(partAt(readInterface('api_endpoint', content), 'response.200.body')).toMatchObject({
      unread: ['response.200.body.b'],
    })
  })

  test('leaves a reference that leads out of the contract for the validator to refuse', () => {
    const content = { schema: { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } }
    expect(() => fits(content, 'model', {})).toThrow('example.com')
  })

  test('can be a path into the content, with type words too', () => {
    const content = { whatever: { inner: { id: 'uuid' } } }
    expect(fits(content, 'whatever.inner', { id: ID })).toBe(true)
    expect(fits(content, 'whatever.inner', { id: 5 })).toBe(false)
  })

  test('keeps names of properties that mean something elsewhere', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"$ref":{"type":"string"},"__proto__":{"type":"integer"},"$id":{"type":"string"}}}',
    )
    const written = partAt(readInterface('data_model', { schema }), 'model')?.schema['properties']
    expect(Object.keys(Object(written))).toEqual(['$ref', '__proto__', '$id'])
    expect(fits({ schema }, 'model', JSON.parse('{"$ref":"a","$id":"b"}'))).toBe(true)
    expect(fits({ schema }, 'model', { $id: 1 })).toBe(false)
  })
})
