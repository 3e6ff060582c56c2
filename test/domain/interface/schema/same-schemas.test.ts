import { describe, expect, test } from 'vitest'
import { Budget } from '../../../../src/domain/interface/budget.ts'
import { sameSchemas } from '../../../../src/domain/interface/schema/same-schemas.ts'
import { located } from '../../../../src/domain/interface/schema/source.ts'
import type { Json } from '../../../../src/protocol/json/json.ts'
import { differences, text } from './differences.ts'

const areSame = (before: Json, after: Json): boolean =>
  sameSchemas(new Budget())([located(before)], [located(after)])

const copy = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json

/** A tree whose leaves are of some type, and a list of such trees. */
const trees = (leaf: Json): Json => ({
  type: 'array',
  items: { $ref: '#/$defs/Tree' },
  $defs: {
    Tree: { type: 'object', properties: { left: { $ref: '#/$defs/Tree' }, leaf: { $ref: '#/$defs/Leaf' } } },
    Leaf: leaf,
    Other: text,
  },
})

describe('schemas of two documents are the same', () => {
  test('where they are written the same, with all that they refer to', () => {
    expect(areSame(trees(text), copy(trees(text)))).toBe(true)
  })

  test('not where something that they lead to differs, however far away, also in a circle', () => {
    expect(areSame(trees(text), trees({ type: 'integer' }))).toBe(false)
    const chain = (leaf: Json): Json => ({
      $ref: '#/$defs/A',
      $defs: {
        A: { properties: { b: { $ref: '#/$defs/B' } } },
        B: { properties: { a: { $ref: '#/$defs/A' }, c: { $ref: '#/$defs/C' } } },
        C: leaf,
      },
    })
    expect(areSame(chain(text), chain({ type: 'null' }))).toBe(false)
    expect(areSame(chain(text), copy(chain(text)))).toBe(true)
  })

  test('whatever is said in them to people', () => {
    const told = (say: string): Json => ({
      type: 'object',
      description: say,
      properties: { a: { title: say } },
    })
    expect(areSame(told('one'), told('another'))).toBe(true)
  })

  test('not where a property that is called as such a word differs', () => {
    const named = (type: string): Json => ({ type: 'object', properties: { description: { type } } })
    expect(areSame(named('string'), named('integer'))).toBe(false)
    expect(areSame({ enum: [{ title: 'a' }] }, { enum: [{ title: 'b' }] })).toBe(false)
    expect(areSame({ default: { title: 'a' } }, { default: { title: 'b' } })).toBe(false)
  })

  test('not where one has a keyword or an element more', () => {
    expect(areSame({ type: 'string' }, { type: 'string', minLength: 1 })).toBe(false)
    expect(areSame({ type: 'string', minLength: 1 }, { type: 'string' })).toBe(false)
    expect(areSame({ anyOf: [text] }, { anyOf: [text, text] })).toBe(false)
  })

  test('not where references count differently beside other keywords', () => {
    const beside = { $ref: '#/$defs/A', minLength: 1, $defs: { A: text } }
    expect(areSame(beside, { $schema: 'http://json-schema.org/draft-07/schema#', ...beside })).toBe(false)
  })
})

test('what changed is told wherever it can be reached, also over what was compared inside of a circle', () => {
  const made = (leaf: Json): Json => ({
    $ref: '#/$defs/P',
    $defs: {
      P: { type: 'object', properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/B' } } },
      A: { type: 'object', properties: { e: { $ref: '#/$defs/E' }, p: { $ref: '#/$defs/P' }, y: leaf } },
      B: { type: 'object', properties: { e: { $ref: '#/$defs/E' } } },
      E: { type: 'object', properties: { a: { $ref: '#/$defs/A' } } },
    },
  })
  const paths = differences(made(text), made({ type: 'integer' })).map(({ path }) => path)
  expect(paths).toEqual(['.a.y', '.b.e.a.y'])
})
