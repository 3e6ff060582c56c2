import { expect, test } from 'vitest'
import { checkInThread } from '../../../src/io/runner/schema-thread.ts'

const range = (count: number) => Array.from({ length: count }, (_, n) => n)
const propertiesOf = (count: number) => ({
  properties: Object.fromEntries(range(count).map((n) => [`p${n}`, { type: 'string', pattern: `^a${n}` }])),
})
const doubledReferences = {
  $defs: Object.fromEntries(
    range(60).map((n) => [`d${n}`, { allOf: [1, 2].map(() => ({ $ref: `#/$defs/d${n + 1}` })) }]),
  ),
  $ref: '#/$defs/d0',
}

/** Each of them takes for ever, all memory or the whole stack, to compile or to use. */
const HOSTILE: readonly [string, unknown, unknown][] = [
  ['a pattern that tries every way', { pattern: '^(a+)+$' }, `${'a'.repeat(40)}!`],
  ['a pattern of nested counts', { pattern: '((((a{0,500}){0,500}){0,500}){0,500})b' }, 'a'.repeat(100_000)],
  ['names that are patterns', { patternProperties: { '^(a+)+$': {} } }, { [`${'a'.repeat(40)}!`]: 1 }],
  [
    'one large part that is referred to very often',
    { $defs: { a: propertiesOf(300) }, anyOf: range(4000).map(() => ({ $ref: '#/$defs/a' })) },
    {},
  ],
  ['references that double with every step', doubledReferences, {}],
  ['a reference to itself', { $defs: { a: { anyOf: [{ $ref: '#/$defs/a' }] } }, $ref: '#/$defs/a' }, {}],
  [
    'more errors than anybody can hold',
    { items: { allOf: range(3000).map(() => ({ type: 'string' })) } },
    range(100_000),
  ],
]

test.each(HOSTILE)('%s ends with its thread, while the daemon goes on', async (_what, schema, value) => {
  let turns = 0
  const turning = setInterval(() => turns++, 1)
  try {
    const rules = { millis: 1500, memoryMb: 64, allErrors: true }
    expect(await checkInThread(schema, value, rules)).toMatchObject({ problem: expect.any(String) })
    expect(turns).toBeGreaterThan(10)
  } finally {
    clearInterval(turning)
  }
})

test.each([
  ['unique lists', { uniqueItems: true }, range(20_000).map((n) => [n % 10])],
  ['a long list of values', { enum: range(20_000) }, 'none of them'],
  ['words that look like code', { properties: { "'];process.exit(9);//": { const: 1 } } }, {}],
  ['names of prototypes', JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), {}],
])('%s are checked like any other', async (_what, schema, value) => {
  const rules = { millis: 20_000, memoryMb: 64, allErrors: true }
  expect(await checkInThread(schema, value, rules)).toMatchObject({ valid: expect.any(Boolean) })
})
