import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Budget } from '../../../../src/domain/interface/budget.ts'
import { Findings } from '../../../../src/domain/interface/findings/found.ts'
import { informalReader } from '../../../../src/domain/interface/words/informal.ts'
import { readTypeWord } from '../../../../src/domain/interface/words/type-words.ts'
import type { Json } from '../../../../src/protocol/json/json.ts'

describe('type words', () => {
  test.each<[string, Json]>([
    ['string', { type: 'string' }],
    ['Int', { type: 'integer' }],
    ['float', { type: 'number' }],
    ['any', true],
    ['datetime', { type: 'string', format: 'date-time' }],
    ['string[]', { type: 'array', items: { type: 'string' } }],
    ['array of uuid', { type: 'array', items: { type: 'string', format: 'uuid' } }],
    ['[integer]', { type: 'array', items: { type: 'integer' } }],
    ['Array<string | null>', { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }],
    ['string or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ["'a'|'b'", { enum: ['a', 'b'] }],
    ['enum(a, b)', { enum: ['a', 'b'] }],
    ['1 | 2', { enum: [1, 2] }],
    ['Record<string, boolean>', { type: 'object', additionalProperties: { type: 'boolean' } }],
    ['string (email)', { type: 'string', format: 'email' }],
    [
      '{ a: string, b?: int }',
      { type: 'object', properties: { a: { type: 'string' }, b: { type: 'integer' } }, required: ['a'] },
    ],
    ['string - at most 50', { type: 'string', $note: 'at most 50' }],
    ['string (max 50)', { type: 'string', $note: '(max 50)' }],
  ])('%s', (text, schema) => {
    expect(readTypeWord(text)).toEqual({ schema, isOptional: false })
  })

  test.each(['string?', 'optional string', 'string (optional)', 'string, optional', 'string | undefined'])(
    '%s may be left out',
    (text) => {
      expect(readTypeWord(text)).toEqual({ schema: { type: 'string' }, isOptional: true })
    },
  )

  test.each([
    '',
    'UserDto',
    'strng',
    'string string',
    'string?[]',
    '[string',
    'enum()',
    'the name of the user',
    '{ a }',
    'map<int, string>',
  ])('%j is none', (text) => {
    expect(readTypeWord(text)).toBeUndefined()
  })

  test('a word means what its own content says, whatever it meant before', () => {
    const named = (name: string) => (name === 'User' ? { $ref: '#/$types/User' } : undefined)
    expect(readTypeWord('User')).toBeUndefined()
    expect(readTypeWord('User', named)).toEqual({ schema: { $ref: '#/$types/User' }, isOptional: false })
    expect(readTypeWord('User')).toBeUndefined()
  })

  test('whatever is written, reading ends with a type or without one', () => {
    const pieces = fc.constantFrom(
      'string',
      '|',
      '[',
      ']',
      '{',
      '}',
      '(',
      ')',
      '<',
      '>',
      ',',
      '?',
      ':',
      'or',
      'of',
      'array',
      'enum',
      "'a'",
      ' ',
      '-',
      'null',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 20 }), (words) => {
        const found = readTypeWord(words.join(' '))
        return found === undefined || typeof found.isOptional === 'boolean'
      }),
      { numRuns: 5000 },
    )
  })
})

describe('informal content', () => {
  function read(value: Json): { schema: Json; rules: string[] } {
    const findings = new Findings()
    const schema = informalReader(findings, new Budget()).schema(value, 'x')
    return { schema, rules: findings.list.map(({ rule, at }) => `${rule} ${at}`) }
  }

  test('fields are required unless they are marked', () => {
    expect(read({ id: 'uuid', 'nick?': 'string', age: 'int?' }).schema).toMatchObject({ required: ['id'] })
  })

  test('a value is an example: it has the type of the value, and that is found', () => {
    expect(read({ age: 42, since: '2026-01-01', ok: true })).toEqual({
      schema: {
        type: 'object',
        properties: {
          age: { type: 'integer', $example: true },
          since: { type: 'string', $example: true },
          ok: { type: 'boolean', $example: true },
        },
        required: ['age', 'since', 'ok'],
      },
      rules: ['example-not-type x.age', 'example-not-type x.since', 'example-not-type x.ok'],
    })
  })

  test('a word that nobody knows leaves its field without a type, and that is found', () => {
    expect(read({ user: 'UserDto' })).toEqual({
      schema: { type: 'object', properties: { user: { $unreadable: 'UserDto' } }, required: ['user'] },
      rules: ['unreadable-type x.user'],
    })
  })

  test('what is a schema already stays the same object', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } }
    expect(read(schema).schema).toBe(schema)
  })

  test('a record with a field called type is a record', () => {
    expect(read({ type: 'string', title: 'string' }).schema).toMatchObject({ required: ['type', 'title'] })
  })

  test('a described field has what its description says', () => {
    expect(
      read({ age: { type: 'integer', required: false, min: 0, description: 'in years' } }).schema,
    ).toEqual({
      type: 'object',
      properties: { age: { type: 'integer', minimum: 0 } },
      required: [],
    })
  })
})
