import { expect, test } from 'vitest'
import { checkedCapabilities } from '../../../src/io/runner/capability-checks.ts'
import type { ThreadRules } from '../../../src/io/runner/schema-thread.ts'
import { Capabilities, Capability } from '../../../src/protocol/agent/capability.ts'

async function inputsOf(inputs: object, rules?: ThreadRules) {
  const [checked] = await checkedCapabilities([Capability.parse({ name: 'x', inputs })], rules)
  if (checked === undefined) throw new Error('no capability')
  return checked.checkInputs
}

test('what is wrong is named by its place in the value', async () => {
  const check = await inputsOf({
    type: 'object',
    required: ['who'],
    properties: { who: { type: 'object', required: ['a/b'], properties: { 'a/b': { type: 'string' } } } },
  })
  expect(await check({ who: { 'a/b': 'x' } })).toBeUndefined()
  expect(await check({})).toEqual({ field: 'who', problem: 'is required' })
  expect(await check({ who: {} })).toEqual({ field: 'who.a/b', problem: 'is required' })
  expect(await check({ who: { 'a/b': 5 } })).toEqual({ field: 'who.a/b', problem: 'must be string' })
  expect(await check([])).toEqual({ field: '', problem: 'must be object' })
})

test.each([{ type: 'nonsense' }, { $ref: 'https://example.com/other.json' }])(
  'a schema that cannot be used is told before anything starts: %j',
  async (outputs) => {
    const broken = [Capability.parse({ name: 'broken', outputs })]
    await expect(checkedCapabilities(broken)).rejects.toThrow(
      /^The outputs of the capability broken are not a JSON Schema/,
    )
  },
)

test('what is there by default can be used, and answers questions first', async () => {
  const [first, ...others] = await checkedCapabilities(Capabilities.parse(undefined))
  expect(first).toMatchObject({ name: 'answer_question', delivery_mode: 'request_response' })
  expect(others.map(({ name }) => name)).toEqual(['summarize_project', 'check_contract', 'echo'])
  for (const { checkInputs, checkOutputs } of others) {
    expect(await checkInputs(7)).toMatchObject({ problem: 'must be object' })
    expect(await checkOutputs({ text: 'x' })).toBeUndefined()
  }
})

test('a schema that takes for ever or all memory to compile stops the start, and nothing else', async () => {
  const doubled = Array.from({ length: 60 }, (_, n) => {
    const next = { $ref: `#/$defs/d${n + 1}` }
    return [`d${n}`, { allOf: [next, next] }]
  })
  const inputs = { $defs: { ...Object.fromEntries(doubled), d60: {} }, $ref: '#/$defs/d0' }
  await expect(inputsOf(inputs, { millis: 5000, memoryMb: 64, allErrors: false })).rejects.toThrow(
    /^The inputs of the capability x are not a JSON Schema: The check took/,
  )
})

test('a value that a pattern takes for ever over is refused, and those after it are checked', async () => {
  const check = await inputsOf(
    { type: 'string', pattern: '^(a+)+$' },
    { millis: 2000, memoryMb: 64, allErrors: false },
  )
  const hostile = `${'a'.repeat(40)}!`
  const answers = await Promise.all([hostile, hostile, hostile, hostile, hostile, 'aaa'].map(check))
  expect(answers.at(-1)).toBeUndefined()
  for (const answer of answers.slice(0, -1))
    expect(answer).toEqual({ field: '', problem: expect.stringContaining('longer than 2000 ms') })
})

test('two capabilities of one name are refused, and so are unknown keys', () => {
  expect(Capabilities.safeParse([{ name: 'a' }, { name: 'a' }]).success).toBe(false)
  expect(Capabilities.safeParse([{ name: 'a', mode: 'sse' }]).success).toBe(false)
  expect(Capabilities.safeParse('[{"name": "a"}]').success).toBe(true)
})
