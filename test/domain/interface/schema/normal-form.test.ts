import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../src/protocol/json/json.ts'
import { differences, person, text, told } from './differences.ts'

describe('the normal form', () => {
  test.each<[string, Json, Json]>([
    ['nullable and a list of types', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      'a list of types and a union with null',
      { type: ['null', 'string'] },
      { oneOf: [{ type: 'null' }, text] },
    ],
    [
      'a union of types and a list of types',
      { anyOf: [text, { type: 'integer' }] },
      { type: ['string', 'integer'] },
    ],
    ['const and an enum of one', { const: 'a' }, { enum: ['a'] }],
    ['a union of constants and an enum', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { enum: ['b', 'a'] }],
    ['both values and boolean', { enum: [true, false] }, { type: 'boolean' }],
    [
      'exclusive bounds in both spellings',
      { type: 'number', minimum: 1, exclusiveMinimum: true },
      { type: 'number', exclusiveMinimum: 1 },
    ],
    [
      'an exclusive bound of whole numbers',
      { type: 'integer', exclusiveMaximum: 10 },
      { type: 'integer', maximum: 9 },
    ],
    ['allOf of one and the one', { allOf: [person] }, person],
    ['anyOf of one and the one', { anyOf: [person] }, person],
    [
      'allOf and what it adds up to',
      {
        allOf: [
          { type: 'object', properties: { name: text }, required: ['name'] },
          { properties: { email: text } },
        ],
      },
      person,
    ],
    ['multiples of one and whole numbers', { type: 'number', multipleOf: 1 }, { type: 'integer' }],
    ['a minimal length of nothing', { type: 'string', minLength: 0 }, text],
    [
      'spellings of one pattern',
      { type: 'string', pattern: '^\\d{1,}$' },
      { type: 'string', pattern: '^[0-9]+$' },
    ],
    ['additional properties that are said and unsaid', { ...person, additionalProperties: true }, person],
    [
      'no unevaluated and no additional ones',
      { ...person, unevaluatedProperties: false },
      { ...person, additionalProperties: false },
    ],
    [
      'titles and descriptions',
      { ...person, title: 'Person', description: 'a person', examples: [1] },
      person,
    ],
  ])('takes %s for the same', (_, one, other) => {
    expect(differences(one, other)).toEqual([])
    expect(differences(other, one)).toEqual([])
  })

  test('leads references to where they lead, whatever the definitions are called', () => {
    const inlined = { type: 'object', properties: { owner: person } }
    const referred = {
      type: 'object',
      properties: { owner: { $ref: '#/$defs/Person' } },
      $defs: { Person: person },
    }
    expect(differences(inlined, referred)).toEqual([])
  })

  test('leaves what only the provider writes out of requests, and what only consumers write out of responses', () => {
    const plain = { type: 'object', properties: { name: text } }
    const more = (mark: string) => ({
      type: 'object',
      properties: { name: text, id: { type: 'string', [mark]: true } },
      required: ['id'],
    })
    expect(differences(plain, more('readOnly'), 'consumer')).toEqual([])
    expect(differences(plain, more('writeOnly'), 'provider')).toEqual([])
    expect(told(differences(plain, more('readOnly'), 'provider'))).toEqual([
      '.id required-property-added yes/no',
    ])
  })
})
