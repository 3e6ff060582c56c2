import { expect, test } from 'vitest'
import { z } from 'zod'
import { fieldFault, readAs } from '../../src/protocol/read-as.ts'

const Box = z.strictObject({ size: z.int(), name: z.string().optional() })

test('an input that fits is answered as its schema describes it', () => {
  expect(readAs(Box, { size: 1 })).toEqual({ size: 1 })
})

test.each([
  [{ size: 'x' }, 'size: must be a number', 'size'],
  [{}, 'size required', 'size'],
  [[], 'body: must be an object', 'body'],
])('%o is refused by a fault that names the field', (input, message, field) => {
  expect(() => readAs(Box, input)).toThrow(
    expect.objectContaining({ kind: 'invalid_params', message, data: { field } }),
  )
})

test('the place says how the sentence begins, where the input is, and what to do next', () => {
  const options = {
    lead: 'Bad: ',
    root: ['a', 'b'],
    missing: 'is missing',
    next: (field: string) => `See ${field}`,
  }
  expect(() => readAs(Box, {}, (misfit) => fieldFault(misfit, options))).toThrow(
    expect.objectContaining({
      message: 'Bad: a.b.size is missing',
      next: 'See size',
      data: { field: 'a.b.size' },
    }),
  )
  expect(() => readAs(Box, 7, (misfit) => fieldFault(misfit, options))).toThrow('Bad: a.b: must be an object')
})

test('keys that a strict schema does not have are told to whoever refuses', () => {
  expect(() =>
    readAs(Box, { size: 1, x: 1, y: 2 }, ({ unknownKeys }) => new Error(unknownKeys?.join())),
  ).toThrow('x,y')
})
