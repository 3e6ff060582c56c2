import { expect, test } from 'vitest'
import { outputsOf } from '../../../src/dialects/coreason/outputs.ts'
import { completedRun, foldRun, text } from '../../support/dialects/run-events.ts'

const plain = foldRun(completedRun([text('sunny')]))
const withData = { ...plain, output: { degrees: 21 } }
const properties = (...names: string[]) => Object.fromEntries(names.map((name) => [name, { type: 'string' }]))

test.each([
  ['to text, when nothing is described', {}, { text: 'sunny' }],
  ['to text, when that is described', { properties: properties('summary', 'text') }, { text: 'sunny' }],
  ['to the text that is required', { properties: properties('a', 'b'), required: ['b'] }, { b: 'sunny' }],
  ['to the first text', { properties: { n: { type: 'number' }, ...properties('a', 'b') } }, { a: 'sunny' }],
  ['nowhere, when there is no place for it', { properties: { n: { type: 'number' } } }, {}],
])('the text goes %s', (_, outputs, expected) => {
  expect(outputsOf(plain, outputs)).toEqual(expected)
})

test('data of the agent stands by itself, or for itself when its own keys are wanted', () => {
  expect(outputsOf(withData, {})).toEqual({ text: 'sunny', data: { degrees: 21 } })
  expect(outputsOf(withData, { properties: { data: {} } })).toEqual({ data: { degrees: 21 } })
  expect(outputsOf(withData, { properties: { degrees: { type: 'number' } } })).toEqual({ degrees: 21 })
})
