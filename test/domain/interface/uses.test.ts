import { describe, expect, test } from 'vitest'
import { diffInterfaces } from '../../../src/domain/interface/judge/diff-interfaces.ts'
import { verdictOf } from '../../../src/domain/interface/judge/verdict.ts'
import { readInterface } from '../../../src/domain/interface/review.ts'
import { placesOf } from '../../../src/domain/interface/uses/places.ts'
import { usedPlaces } from '../../../src/domain/interface/uses/used.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'

const placesIn = (content: JsonObject) => placesOf(readInterface('custom', content)).list.map(({ at }) => at)

/** For a repo that uses these places and no other. */
function verdictFor(uses: string[], before: JsonObject, after: JsonObject) {
  const [old, now] = [readInterface('custom', before), readInterface('custom', after)]
  const expectation = { tolerates: [], ...usedPlaces(uses, old, now) }
  return verdictOf(diffInterfaces(old, now), 'consumer', expectation).verdict
}

const me = (response: JsonObject, more: JsonObject = {}) => ({
  method: 'GET',
  path: '/users/me',
  response,
  ...more,
})

describe('the places of a contract', () => {
  test('are its slots and all that is declared in them', () => {
    expect(placesIn(me({ id: 'uuid', tags: ['string'], home: { city: 'string' } }))).toEqual([
      'response.200',
      'response.200.body',
      'response.200.body.id',
      'response.200.body.tags',
      'response.200.body.tags[]',
      'response.200.body.home',
      'response.200.body.home.city',
    ])
  })

  test('end where they lead back to themselves', () => {
    const node = {
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    }
    const { list } = placesOf(readInterface('data_model', node))
    expect(list.map(({ at, back }) => [at, back])).toEqual([
      ['model', undefined],
      ['model.name', undefined],
      ['model.children', undefined],
      ['model.children[]', 'model'],
    ])
  })

  test('of a union are those of all its parts', () => {
    const part = (name: string) => ({ type: 'object', properties: { kind: { type: 'string' }, [name]: {} } })
    expect(placesIn({ schema: { oneOf: [part('a'), part('b')] } })).toEqual([
      'model',
      'model.kind',
      'model.a',
      'model.b',
    ])
  })

  test('are counted up to a limit, whatever is in it', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`f${index}`, { type: 'string' }]),
    )
    const { list, isCut } = placesOf(readInterface('data_model', { type: 'object', properties }))
    expect([list.length, isCut]).toEqual([2000, true])
  })

  test('of schemas in text are types, fields and arguments', () => {
    const graphql = 'type Query { user(id: ID!): User } type User { role: Role } enum Role { ADMIN }'
    expect(placesIn({ graphql })).toEqual([
      'Query',
      'Query.user',
      'Query.user.id',
      'User',
      'User.role',
      'Role',
    ])
    const proto = 'syntax = "proto3"; message User { string name = 1; Role role = 2; } enum Role { A = 0; }'
    expect(placesIn({ proto })).toEqual(['User', 'User.name', 'User.role', 'Role'])
  })
})

describe('who uses some places only', () => {
  const old = me({ id: 'uuid', email: 'email', home: { city: 'string', zip: 'string' } })

  test.each([
    [['response.200.body.id'], 'compatible'],
    [['response.200.body.home'], 'breaking'],
    [['response.200.body.home.zip'], 'breaking'],
    [['response.200.body.home.city'], 'compatible'],
    [['response'], 'breaking'],
  ])('%j is hurt by what is gone from them: %s', (uses, verdict) => {
    expect(verdictFor(uses, old, me({ id: 'uuid', email: 'email', home: { city: 'string' } }))).toBe(verdict)
  })

  test('is hurt where the same place has another status now', () => {
    const after = { method: 'GET', path: '/users/me', responses: { 201: { id: 'uuid' } } }
    expect(verdictFor(['response.200.body.email'], old, after)).toBe('breaking')
  })

  test('is hurt where the operation is written with another name of a parameter', () => {
    const paths = (name: string, properties: JsonObject) => ({
      openapi: '3.1.0',
      paths: {
        [`/users/{${name}}`]: {
          get: {
            parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
            responses: {
              200: {
                content: {
                  'application/json': {
                    schema: { type: 'object', properties, required: Object.keys(properties) },
                  },
                },
              },
            },
          },
        },
        '/health': { get: { responses: { 200: { description: 'fine' } } } },
      },
    })
    const text = { type: 'string' }
    const [before, after] = [paths('id', { a: text, b: text }), paths('userId', { a: text })]
    const place = placesIn(before).find((at) => at.endsWith('.b')) ?? ''
    expect(place).toContain('GET /users/{id}: response.200')
    expect(verdictFor([place], before, after)).toBe('breaking')
    expect(verdictFor([place.replace(/b$/, 'a')], before, after)).toBe('compatible')
    expect(verdictFor(['GET /users/{id}'], before, after)).toBe('breaking')
    const { '/health': _, ...without } = before.paths
    expect(verdictFor([place], before, { ...before, paths: without })).toBe('compatible')
    expect(verdictFor(['GET /health'], before, { ...before, paths: without })).toBe('breaking')
  })

  test('is hurt by a change of what leads back to itself, at whatever depth it is used', () => {
    const node = (properties: JsonObject) => ({
      type: 'object',
      properties: { ...properties, children: { type: 'array', items: { $ref: '#' } } },
      required: [...Object.keys(properties), 'children'],
    })
    const [before, after] = [node({ name: { type: 'string' }, size: { type: 'number' } }), node({ name: {} })]
    expect(verdictFor(['model.children[].children[].size'], before, after)).toBe('breaking')
    expect(verdictFor(['model.children'], before, after)).toBe('breaking')
  })

  test('is hurt by types that its fields lead to, in schemas in text', () => {
    const schema = (user: string, role: string) => ({
      graphql: `type Query { me: User users: [User] } type User { ${user} } enum Role { ${role} }`,
    })
    const before = schema('name: String role: Role', 'A B')
    expect(verdictFor(['Query.me', 'User.name'], before, schema('name: String role: Role', 'A'))).toBe(
      'compatible',
    )
    expect(verdictFor(['Query.me', 'User.role'], before, schema('name: String role: Role', 'A B C'))).toBe(
      'unknown',
    )
    expect(verdictFor(['Query.me'], before, schema('role: Role', 'A B'))).toBe('breaking')
    expect(verdictFor(['Query.me', 'User.role'], before, schema('role: Role', 'A B'))).toBe('compatible')
    expect(verdictFor(['User.role'], before, schema('role: Role', 'A B'))).toBe('breaking')
  })

  test('learns nothing of what is not understood', () => {
    expect(verdictFor(['a'], { text: 'x', a: 1 }, { text: 'y', a: 1 })).toBe('unknown')
  })
})
