import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../src/protocol/json/json.ts'
import { differences, person, text, told } from './differences.ts'

describe('changes of one schema', () => {
  test.each<[string, Json, Json, string[]]>([
    ['another type', text, { type: 'integer' }, ['type-changed yes/yes']],
    ['one type more', text, { type: ['string', 'integer'] }, ['type-added no/yes']],
    ['null', text, { type: 'string', nullable: true }, ['null-added no/yes']],
    ['no null', { type: ['string', 'null'] }, text, ['null-removed yes/no']],
    ['whole numbers to all', { type: 'integer' }, { type: 'number' }, ['type-changed no/yes']],
    ['a value more', { enum: ['a'] }, { enum: ['a', 'b'] }, ['enum-value-added no/depends']],
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, ['enum-value-removed yes/no']],
    [
      'another value',
      { const: 'a' },
      { const: 'b' },
      ['enum-value-added no/yes', 'enum-value-removed yes/no'],
    ],
    ['any text of some values', { enum: ['a'] }, text, ['enum-removed no/depends']],
    [
      'values that do not fit any more',
      { enum: ['abc'] },
      { type: 'string', maxLength: 2 },
      ['enum-removed yes/depends'],
    ],
    [
      'a shorter text',
      { type: 'string', maxLength: 9 },
      { type: 'string', maxLength: 5 },
      ['maxLength-narrowed yes/no'],
    ],
    ['a bound less', { type: 'number', minimum: 1 }, { type: 'number' }, ['minimum-widened no/yes']],
    [
      'multiples of more',
      { type: 'integer', multipleOf: 2 },
      { type: 'integer', multipleOf: 4 },
      ['multipleOf-narrowed yes/no'],
    ],
    [
      'multiples of something else',
      { type: 'integer', multipleOf: 4 },
      { type: 'integer', multipleOf: 6 },
      ['multipleOf-changed yes/yes'],
    ],
    ['a pattern', text, { type: 'string', pattern: '^a' }, ['pattern-narrowed yes/no']],
    [
      'another pattern',
      { type: 'string', pattern: '(a+)+$' },
      { type: 'string', pattern: '^a' },
      ['pattern-changed unsure/unsure'],
    ],
    ['a format', text, { type: 'string', format: 'uuid' }, ['format-narrowed yes/no']],
    ['a format nobody knows', text, { type: 'string', format: 'hobbit' }, ['format-narrowed unsure/no']],
    [
      'wider numbers',
      { type: 'integer', format: 'int32' },
      { type: 'integer', format: 'int64' },
      ['format-widened no/yes'],
    ],
    ['a condition', text, { type: 'string', not: { const: 'a' } }, ['not-narrowed yes/no']],
    [
      'another condition',
      { type: 'string', not: { const: 'a' } },
      { type: 'string', not: { const: 'b' } },
      ['not-changed unsure/unsure'],
    ],
    [
      'unique elements',
      { type: 'array' },
      { type: 'array', uniqueItems: true },
      ['uniqueItems-narrowed yes/no'],
    ],
    [
      'elements of another type',
      { type: 'array', items: text },
      { type: 'array', items: { type: 'integer' } },
      ['[] type-changed yes/yes'],
    ],
  ])('%s', (_, before, after, expected) => {
    expect(told(differences(before, after))).toEqual(expected)
  })

  test.each<[string, Json, string[]]>([
    [
      'a new optional property',
      { ...person, properties: { ...person.properties, age: text } },
      ['.age property-added no/no'],
    ],
    [
      'a new required property',
      {
        ...person,
        properties: { ...person.properties, age: { type: 'string', default: 'x' } },
        required: ['name', 'age'],
      },
      ['.age required-property-added yes/no'],
    ],
    [
      'an optional property gone',
      { ...person, properties: { name: text } },
      ['.email property-removed depends/depends'],
    ],
    [
      'a required property gone',
      { ...person, properties: { email: text }, required: [] },
      ['.name property-removed depends/yes'],
    ],
    [
      'a property that may be left out',
      { ...person, required: [] },
      ['.name property-became-optional no/yes'],
    ],
    [
      'a property that may not',
      { ...person, required: ['name', 'email'] },
      ['.email property-became-required yes/no'],
    ],
    [
      'a closed object',
      { ...person, additionalProperties: false },
      ['.* other-properties-closed depends/no'],
    ],
    [
      'another default',
      { ...person, properties: { name: text, email: { type: 'string', default: 'x' } } },
      ['.email default-changed depends/no'],
    ],
  ])('of an open object: %s', (_, after, expected) => {
    expect(told(differences(person, after))).toEqual(expected)
  })

  test('a map keeps the type of its values', () => {
    const map = (values: Json) => ({ type: 'object', additionalProperties: values })
    expect(told(differences(map(text), map({ type: 'integer' })))).toEqual(['.* type-changed yes/yes'])
    expect(told(differences(map(text), { ...map(text), properties: { a: { type: 'integer' } } }))).toEqual([
      '.a type-changed yes/yes',
    ])
  })

  test('a word that was not read is equal to itself and unsure against everything else', () => {
    expect(differences({ $unreadable: 'UserDto' }, { $unreadable: 'UserDto' })).toEqual([])
    expect(told(differences({ $unreadable: 'UserDto' }, text))).toEqual(['not-understood unsure/unsure'])
    expect(told(differences({ $ref: 'https://example.org/a.json' }, text))).toEqual([
      'not-understood unsure/unsure',
    ])
  })
})

describe('unions', () => {
  const cat = {
    title: 'Cat',
    type: 'object',
    properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
    required: ['kind'],
  }
  const dog = {
    title: 'Dog',
    type: 'object',
    properties: { kind: { const: 'dog' }, tail: text },
    required: ['kind'],
  }

  test('say nothing by the order of their branches', () => {
    expect(differences({ oneOf: [cat, dog] }, { oneOf: [dog, cat] })).toEqual([])
  })

  test('call a branch by what tells it apart, in whatever order that is written', () => {
    const wallet = { type: 'object', properties: { kind: { const: 'wallet' }, by: { const: 'app' } } }
    const turned = { type: 'object', properties: { by: { const: 'app' }, kind: { const: 'wallet' } } }
    for (const more of [wallet, turned])
      expect(differences({ oneOf: [cat, dog] }, { oneOf: [cat, dog, more] })).toMatchObject([
        { kind: 'branch-added', afterWords: 'object with by «app»' },
      ])
  })

  test('widen by a branch more and narrow by a branch less, although open objects accept each other', () => {
    expect(told(differences({ oneOf: [cat] }, { oneOf: [cat, dog] }))).toEqual(['branch-added no/yes'])
    expect(told(differences({ oneOf: [cat, dog] }, { oneOf: [dog] }))).toEqual(['branch-removed yes/no'])
  })

  test('pair the branches of one tag, and tell what changed inside', () => {
    const { title: _, ...untitled } = cat
    const changed = { ...untitled, properties: { ...cat.properties, lives: text } }
    expect(told(differences({ oneOf: [cat, dog] }, { oneOf: [dog, changed] }))).toEqual([
      '.lives type-changed yes/yes',
    ])
  })

  test('are unsure where `oneOf` could refuse what fits two branches', () => {
    const short = { type: 'string', maxLength: 5 }
    const before = { oneOf: [short, { type: 'string', minLength: 6 }] }
    const after = {
      oneOf: [
        { type: 'string', maxLength: 10 },
        { type: 'string', minLength: 6 },
      ],
    }
    expect(told(differences(before, after))).toContain('branches-overlap unsure/no')
  })
})

describe('recursion', () => {
  const list = (value: Json) => ({
    $ref: '#/$defs/Node',
    $defs: { Node: { type: 'object', properties: { value, next: { $ref: '#/$defs/Node' } } } },
  })

  test('ends, and tells a change once', () => {
    expect(differences(list(text), list(text))).toEqual([])
    expect(told(differences(list(text), list({ type: 'integer' })))).toEqual(['.value type-changed yes/yes'])
  })

  test('hides no change elsewhere behind what was taken for equal inside of a cycle', () => {
    const mutual = (value: Json) => ({
      type: 'object',
      properties: { p: { $ref: '#/$defs/A' }, q: { $ref: '#/$defs/B' } },
      $defs: {
        A: { type: 'object', properties: { b: { $ref: '#/$defs/B' }, value } },
        B: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
      },
    })
    expect(told(differences(mutual(text), mutual({ type: 'integer' })))).toEqual([
      '.p.value type-changed yes/yes',
      '.q.a.value type-changed yes/yes',
    ])
  })

  test('of a schema that consists of itself is read as nothing', () => {
    const loop = { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }
    expect(differences(loop, { ...loop })).toEqual([])
    expect(told(differences(loop, text))).toEqual(['not-understood unsure/unsure'])
  })
})
