import { describe, expect, test } from 'vitest'
import { HOSTILE } from '../../../bench/review/hostile.ts'
import { many, number, object, text } from '../../../bench/review/hostile-shapes.ts'
import { Budget, MOST_WORK, MOST_WORK_OF_COMMAND, WORK } from '../../../src/domain/interface/budget.ts'
import { diffInterfaces } from '../../../src/domain/interface/judge/diff-interfaces.ts'
import type { Interface } from '../../../src/domain/interface/model.ts'
import { readInterface, reviewFor, reviewPair } from '../../../src/domain/interface/review.ts'
import type { Json, JsonObject } from '../../../src/protocol/json/json.ts'

/** The last step may be a large one: so many values at once. */
const LARGEST_STEP = 100_000 * WORK.value

/** What was read and compared, whatever the machine is doing otherwise. */
function workOf(type: string, before: Json, after: Json): number {
  const [old, now] = [readInterface(type, before), readInterface(type, after)]
  const budget = new Budget(MOST_WORK, old.work + now.work)
  diffInterfaces(old, now, budget)
  return budget.spent
}

describe('hostile content', () => {
  test.each(HOSTILE)('$name is answered within the budget', ({ make, allowed }) => {
    const [before, after] = make()
    expect(allowed).toContain(reviewPair('data_model', before, after).verdict)
    expect(workOf('data_model', before, after)).toBeLessThanOrEqual(MOST_WORK + LARGEST_STEP)
  })

  test('what many schemas are made of is read once', () => {
    const made = (leaf: Json): JsonObject => ({
      ...object(many(100, (index) => [`p${index}`, { allOf: [{ $ref: '#/$defs/Base' }] }])),
      $defs: { Base: { allOf: [object(many(50, (index) => [`q${index}`, text])), object({ last: leaf })] } },
    })
    expect(workOf('data_model', made(text), made(number))).toBeLessThan(10_000)
  })

  test('atoms that are copied for a reference are counted', () => {
    const wide = (leaf: Json) => ({
      anyOf: Array.from({ length: 100 }, (_, index) => object({ [`a${index}`]: leaf })),
    })
    const referred = (leaf: Json): JsonObject => ({
      ...object({ a: { $ref: '#/$defs/Wide' }, b: leaf }),
      $defs: { Wide: wide(leaf) },
    })
    const written = (leaf: Json): JsonObject => object({ a: wide(leaf), b: leaf })
    const alone = workOf('data_model', written(text), written(number))
    expect(workOf('data_model', referred(text), referred(number))).toBeGreaterThanOrEqual(alone + 200)
  })

  test('names that are required and described nowhere are counted, where they are read and where they differ', () => {
    const demanding = (letter: string): JsonObject => ({
      type: 'object',
      required: Array.from({ length: 3000 }, (_, index) => `${letter}${index}`),
    })
    const least = 2 * 3000 * (WORK.value + WORK.copy)
    expect(workOf('data_model', demanding('a'), demanding('b'))).toBeGreaterThanOrEqual(least)
  })

  const much: [string, (word: string) => JsonObject][] = [
    [
      '2,000 operations',
      (word) => ({
        endpoints: Array.from({ length: 2000 }, (_, index) => ({
          method: 'GET',
          path: `/a${index}`,
          response: word,
        })),
      }),
    ],
    [
      '2,000 operations of a document',
      (word) => ({
        openapi: '3.1.0',
        paths: many(2000, (index) => [
          `/a${index}`,
          { get: { responses: { 200: { description: word }, 201: { description: '' } }, [word]: 1 } },
        ]),
      }),
    ],
    ['2,000 methods', (word) => ({ methods: many(2000, (index) => [`m${index}`, { result: word }]) })],
    [
      '6,000 fields',
      (word) => ({ fields: many(6000, (index) => [`f${index}`, index === 0 ? word : 'string']) }),
    ],
    ['13,000 signs', (word) => ({ proto: `${word} ${','.repeat(13_000)}` })],
  ]

  test.each(much)('%s are not read by a daemon, and any change is unknown', (_, make) => {
    const { verdict, missing } = reviewPair('custom', make('string'), make('integer'))
    const why = 'not understood, because it has more in it than one review takes'
    expect({ verdict, missing }).toEqual({ verdict: 'unknown', missing: [why] })
    expect(reviewPair('custom', make('string'), make('string')).verdict).toBe('compatible')
  })

  test.each(much.slice(0, 4))('%s are read by a command', (_, make) => {
    const [old, now] = ['string', 'integer'].map((word) =>
      readInterface('custom', make(word), MOST_WORK_OF_COMMAND),
    ) as [Interface, Interface]
    expect(now.why).toBeUndefined()
    expect(reviewFor({ most: MOST_WORK_OF_COMMAND }, old, now).missing).not.toContain('too large')
  })

  test('of more changes than are told, those that hurt are told', () => {
    const made = (length: number): JsonObject => ({
      types: { Texts: many(10, (index) => [`f${index}`, { type: 'string', maxLength: length }]) },
      endpoints: [
        ...Array.from({ length: 60 }, (_, index) => ({
          method: 'GET',
          path: `/a${index}`,
          response: 'Texts',
        })),
        { method: 'POST', path: '/z', request: { name: { type: 'string', maxLength: length } } },
      ],
    })
    const { verdict, changes } = reviewPair('api_endpoint', made(80), made(40))
    expect(verdict).toBe('breaking')
    expect(changes[0]?.at).toBe('POST /z: request.body.name')
  })

  test('names of prototypes are names like any other', () => {
    const before = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}},"required":["__proto__"]}',
    ) as Json
    const after = JSON.parse('{"type":"object","properties":{"constructor":{"type":"string"}}}') as Json
    const { verdict, changes } = reviewPair('data_model', before, after)
    expect(verdict).toBe('breaking')
    expect(changes.map(({ at, kind }) => `${at} ${kind}`)).toEqual(['model.__proto__ property-removed'])
    expect(reviewPair('data_model', after, JSON.parse(JSON.stringify(after)) as Json).verdict).toBe(
      'compatible',
    )
  })

  test.each([
    ['comments without an end', { proto: '/* '.repeat(80_000) }],
    ['texts without an end', { graphql: '"'.repeat(100_001) }],
    ['brackets without an end', { typescript: `type A = ${'['.repeat(50_000)}` }],
    ['brackets without an end', { graphql: `type Query { a: ${'['.repeat(50_000)}` }],
    ['braces without an end', { proto: 'message A {'.repeat(20_000) }],
    ['blanks', { fields: { a: `string${' '.repeat(200_000)}x` } }],
    ['words without an end', { fields: { a: 'optional '.repeat(50) } }],
    ['a path of many parameters', { method: 'GET', path: '/{a}'.repeat(50_000), response: 'string' }],
  ])('%s are read quickly as what they are: not understood', (_, content) => {
    const other = { ...content, more: 1 }
    expect(['unknown', 'breaking']).toContain(reviewPair('custom', content, other).verdict)
    expect(reviewPair('custom', content, structuredClone(content)).verdict).toBe('compatible')
  })

  test('whatever is sent, reading throws nothing', () => {
    const odd: Json[] = [
      null,
      true,
      0,
      '',
      [],
      {},
      { method: 'GET', path: '/' },
      { openapi: '3.1.0', paths: { '/a': null, '/b': { get: 1 } } },
    ]
    odd.push(
      { asyncapi: '3.0.0', operations: { a: null, b: { channel: { $ref: '#' } } } },
      { openrpc: '1', methods: [null, {}] },
    )
    odd.push(
      { methods: { a: null, b: 1, c: [] } },
      { events: { a: null } },
      { fields: 3 },
      { schema: 4 },
      { type: 'object', properties: 3, required: 'x', enum: {}, allOf: 1 },
    )
    odd.push({
      method: 'GET',
      path: '/a',
      responses: { 200: { content: 1 } },
      parameters: [null, 1, {}],
      query: 7,
      errors: [{}],
      request: { body: null },
    })
    for (const before of odd)
      for (const after of odd)
        expect(['compatible', 'unknown', 'breaking']).toContain(reviewPair('custom', before, after).verdict)
  })
})
