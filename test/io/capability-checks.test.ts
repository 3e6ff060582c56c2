import { expect, test } from 'vitest'
import { checkedCapabilities } from '../../src/io/capability-checks.ts'
import { Capabilities, Capability } from '../../src/protocol/capability.ts'

function inputsOf(inputs: object) {
  const [checked] = checkedCapabilities([Capability.parse({ name: 'x', inputs })])
  if (checked === undefined) throw new Error('no capability')
  return checked.checkInputs
}

test('what is wrong is named by its place in the value', () => {
  const check = inputsOf({
    type: 'object',
    required: ['who'],
    properties: { who: { type: 'object', required: ['a/b'], properties: { 'a/b': { type: 'string' } } } },
  })
  expect(check({ who: { 'a/b': 'x' } })).toBeUndefined()
  expect(check({})).toEqual({ field: 'who', problem: 'is required' })
  expect(check({ who: {} })).toEqual({ field: 'who.a/b', problem: 'is required' })
  expect(check({ who: { 'a/b': 5 } })).toEqual({ field: 'who.a/b', problem: 'must be string' })
  expect(check([])).toEqual({ field: '', problem: 'must be object' })
})

test.each([{ type: 'nonsense' }, { $ref: 'https://example.com/other.json' }])(
  'a schema that cannot be used is told before anything starts: %j',
  (outputs) => {
    const broken = [Capability.parse({ name: 'broken', outputs })]
    expect(() => checkedCapabilities(broken)).toThrow(
      /^The outputs of the capability broken are not a JSON Schema/,
    )
  },
)

test('what is there by default can be used, and answers questions first', () => {
  const [first, ...others] = checkedCapabilities(Capabilities.parse(undefined))
  expect(first).toMatchObject({ name: 'answer_question', delivery_mode: 'request_response' })
  expect(others.map(({ name }) => name)).toEqual(['summarize_project', 'check_contract', 'echo'])
  expect(others.map(({ checkInputs }) => checkInputs(7)?.problem)).toEqual(Array(3).fill('must be object'))
  expect(others.map(({ checkOutputs }) => checkOutputs({ text: 'x' }))).toEqual(Array(3).fill(undefined))
})

test('two capabilities of one name are refused, and so are unknown keys', () => {
  expect(Capabilities.safeParse([{ name: 'a' }, { name: 'a' }]).success).toBe(false)
  expect(Capabilities.safeParse([{ name: 'a', mode: 'sse' }]).success).toBe(false)
  expect(Capabilities.safeParse('[{"name": "a"}]').success).toBe(true)
})
