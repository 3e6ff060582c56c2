import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonFields } from '../../src/ui/json/value.ts'
import { contradictions, isSame, merged, usualChoice } from '../../src/ui/screens/contract/merge.ts'

const base = { path: '/me', method: 'GET', response: { id: 'int', roles: ['a'] } }
const stands = { path: '/v1/me', method: 'GET', response: { id: 'int', roles: ['a', 'b'] } }
const lost = { path: '/me', method: 'POST', response: { id: 'string', roles: ['a'] } }

describe('two versions that contradict each other', () => {
  test('do so in fields, of which each is told with what both came from', () => {
    expect(contradictions(base, stands, lost)).toEqual([
      { path: ['method'], base: 'GET', stands: 'GET', lost: 'POST' },
      { path: ['path'], base: '/me', stands: '/v1/me', lost: '/me' },
      { path: ['response', 'id'], base: 'int', stands: 'int', lost: 'string' },
      { path: ['response', 'roles'], base: ['a'], stands: ['a', 'b'], lost: ['a'] },
    ])
  })

  test('usually give the changes of both', () => {
    expect(merged(stands, contradictions(base, stands, lost), usualChoice)).toEqual({
      path: '/v1/me',
      method: 'POST',
      response: { id: 'string', roles: ['a', 'b'] },
    })
  })

  test('where one of them dropped a field, it can be dropped', () => {
    const found = contradictions({ a: 1, b: 2 }, { a: 1, b: 2 }, { a: 1 })
    expect(merged({ a: 1, b: 2 }, found, () => 'lost')).toEqual({ a: 1 })
  })

  const fields = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })) as fc.Arbitrary<JsonFields>

  test('all of one side is that side, whatever they are', () => {
    fc.assert(
      fc.property(fields, fields, (one, other) => {
        const found = contradictions(undefined, one, other)
        expect(
          isSame(
            merged(one, found, () => 'stands'),
            one,
          ),
        ).toBe(true)
        expect(
          isSame(
            merged(one, found, () => 'lost'),
            other,
          ),
        ).toBe(true)
      }),
    )
  })
})
