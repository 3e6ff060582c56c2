import { describe, expect, test } from 'vitest'
import { readInterface } from '../../../src/domain/interface/review.ts'
import { RouteTable } from '../../../src/domain/mock/routes.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'

const served = (name: string, content: JsonObject) => ({
  contractId: name,
  name,
  version: 1,
  interface: readInterface('api_endpoint', content),
})

const table = (...paths: string[]) =>
  new RouteTable(paths.map((call) => served(call, { method: call.split(' ')[0], path: call.split(' ')[1] })))

const found = (routes: RouteTable, method: string, path: string) => {
  const match = routes.find(method, path)
  return match === undefined ? undefined : [match.route.served.name, ...match.values]
}

describe('a request is meant for the operation', () => {
  const routes = table(
    'GET /users/{id}',
    'GET /users/me',
    'POST /users',
    'GET /users/:id/posts/:post',
    'GET /files/{name}.json',
    'GET /{any}/me',
  )

  test.each([
    ['GET', '/users/me', ['GET /users/me']],
    ['GET', '/users/7', ['GET /users/{id}', '7']],
    ['GET', '/users/a%2Fb', ['GET /users/{id}', 'a/b']],
    ['GET', '/users/7/', ['GET /users/{id}', '7']],
    ['GET', '/users/7/posts/9', ['GET /users/:id/posts/:post', '7', '9']],
    ['GET', '/files/all.json', ['GET /files/{name}.json', 'all']],
    ['GET', '/groups/me', ['GET /{any}/me', 'groups']],
    ['POST', '/users', ['POST /users']],
    ['DELETE', '/users', undefined],
    ['GET', '/users/', undefined],
    ['GET', '/files/.json', undefined],
    ['GET', '/users/%E0%A4%A', ['GET /users/{id}', '%E0%A4%A']],
  ])('of %s %s', (method, path, expected) => {
    expect(found(routes, method, path)).toEqual(expected)
  })

  test('and what is near to it is named where there is none', () => {
    expect(routes.nearest('GET', '/user/me')[0]).toBe('GET /users/me')
    expect(routes.nearest('GET', '/user/me')).toHaveLength(3)
  })
})

test('paths of a document begin where its servers say, and webhooks are not called', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    servers: [{ url: 'https://api.example.com/v1/' }],
    paths: { '/users': { get: { responses: { 200: { description: 'all' } } } } },
    webhooks: { created: { post: { responses: { 200: { description: 'ok' } } } } },
  }
  const routes = new RouteTable([served('Users', document)])
  expect(routes.routes.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/users'])
  expect(found(routes, 'GET', '/v1/users')).toEqual(['Users'])
})

test('what is no HTTP has no routes', () => {
  expect(
    new RouteTable([served('Event', { event: 'user.created', payload: { id: 'uuid' } })]).routes,
  ).toEqual([])
})
