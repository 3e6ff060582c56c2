import { describe, expect, test } from 'vitest'
import { staleness, stampsIn } from '../../../src/domain/types/stamp.ts'
import { type InForce, isMadeFor, LANGUAGES, stampOf, typesOf } from '../../../src/domain/types/types.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'

const inForce = (name: string, content: JsonObject, more: Partial<InForce> = {}): InForce => ({
  contractId: name,
  name,
  type: 'custom',
  version: 1,
  content,
  ...more,
})
const user = { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }
const withUser = (path: string, schema: JsonObject = user): JsonObject => ({
  openapi: '3.1.0',
  paths: {
    [path]: {
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/User' } } } },
        },
      },
    },
  },
  components: { schemas: { User: schema } },
})
/** Without the lines at the top. */
const typescript = (...contracts: InForce[]): string =>
  typesOf(contracts, 'ts').replace(/^(?:\/\/.*\n)+\n/, '')

describe('types of contracts', () => {
  test('have names by contract and place, and keep null and absent apart', () => {
    const content = {
      method: 'GET',
      path: '/users/:userId',
      query: { 'page?': 'integer' },
      response: {
        id: 'uuid',
        email: 'email or null',
        'nick?': 'string or null',
        address: { street: 'string' },
      },
    }
    expect(typescript(inForce('Get user profile', content))).toBe(`// Get user profile, version 1
export interface GetUserProfileResponse200Body {
  id: string
  email: string | null
  nick?: string | null
  address: GetUserProfileResponse200BodyAddress
}
export interface GetUserProfileResponse200BodyAddress {
  street: string
}
export interface GetUserProfileQuery {
  page?: number
}
export interface GetUserProfilePath {
  userId: unknown
}
`)
  })

  test('are declared once for what several contracts declare alike, and numbered where they differ', () => {
    const other = { ...user, required: [] }
    const text = typescript(
      inForce('A', withUser('/a')),
      inForce('B', withUser('/b')),
      inForce('C', withUser('/c', other)),
    )
    expect(text.match(/export .*/g)).toEqual([
      'export interface User {',
      'export type AResponse200Body = User',
      'export type BResponse200Body = User',
      'export interface User2 {',
      'export type CResponse200Body = User2',
    ])
  })

  test('leave out of a request what only the provider writes', () => {
    const both = {
      type: 'object',
      properties: { id: { type: 'string', readOnly: true }, name: { type: 'string' } },
    }
    const text = typescript(inForce('Put', { method: 'PUT', path: '/', requestBody: both, response: both }))
    expect(text).toMatch(/PutRequestBody \{\n {2}name\?: string\n\}/)
    expect(text).toMatch(/PutResponse200Body \{\n {2}id\?: string\n {2}name\?: string\n\}/)
  })

  test('end where a schema leads back to itself without any name', () => {
    const content = { type: 'object', properties: { next: { $ref: '#' } } }
    expect(typescript(inForce('Node', content))).toContain('export interface Node {\n  next?: Node\n}')
    const lists = {
      allOf: [
        { type: 'array', items: { $ref: '#' } },
        { type: 'array', items: { $ref: '#' } },
      ],
    }
    expect(typescript(inForce('Lists', lists))).toContain('export type Lists = ')
  })

  test('are none of what is not understood or too large, and the text says so', () => {
    expect(typescript(inForce('Note', { hello: { there: 1 } }))).toBe(
      '// Note, version 1: not understood, because it is in no form that is known\n\nexport {}\n',
    )
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [
        `D${at}`,
        { anyOf: Array(8).fill({ $ref: `#/$defs/D${at + 1}` }) },
      ]),
    )
    const bomb = { type: 'object', properties: { a: { $ref: '#/$defs/D0' } }, $defs }
    const started = performance.now()
    expect(typescript(inForce('Bomb', bomb))).toMatch(/Bomb/)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test.each(LANGUAGES)('are the same text for the same contracts, in %s', (language) => {
    const contracts = [inForce('A', withUser('/a')), inForce('B', withUser('/b'))]
    expect(typesOf(contracts, language)).toBe(typesOf(structuredClone(contracts), language))
    expect(isMadeFor(typesOf(contracts, language), language)).toBe(true)
  })

  test.each(LANGUAGES)('have names and comments that nothing can leave, in %s', (language) => {
    const content = { fields: { 'a\n"b': 'string' } }
    const hostile = inForce('x\n*/ import os #\u2028"""\u202e', content, { contractId: 'c 1\n' })
    const text = typesOf([hostile], language)
    expect(text).not.toMatch(/[\u2028\u202e]/)
    expect(text.split('\n').filter((line) => line.includes('import os'))).toEqual([
      expect.stringMatching(/^(?:\/\/|#) contract: /),
      expect.stringMatching(/^(?:\/\/|#) x \*\/ import os/),
    ])
  })
})

describe('stamps', () => {
  const [a, b] = [inForce('A', withUser('/a')), inForce('B', withUser('/b'), { contractId: 'id-b' })]

  test.each(LANGUAGES)('are read from the text that they stand in, in %s', (language) => {
    expect(stampsIn(typesOf([a, b], language))).toEqual([a, b].map(stampOf))
    expect(staleness(stampsIn(typesOf([a, b], language)), [a, b].map(stampOf))).toEqual([])
  })

  test('say which contract moved, and how', () => {
    const made = [a, b].map(stampOf)
    const gone = staleness(made, [stampOf(a)])
    expect(gone).toEqual(['«B» is not in force any more'])
    expect(staleness([stampOf(a)], made)).toEqual(['«B» is in force, and no types were made of it'])
    expect(staleness(made, [a, { ...b, version: 3 }].map(stampOf))).toEqual([
      '«B» was version 1 and is version 3 now',
    ])
    const changed = { ...b, content: withUser('/other') }
    expect(staleness(made, [a, changed].map(stampOf))).toEqual(['«B» has another content than it had'])
  })

  test('count at the top of a file alone', () => {
    expect(stampsIn(`// made\n\n// contract: c1@1#00000000 A\n`)).toEqual([])
  })
})
