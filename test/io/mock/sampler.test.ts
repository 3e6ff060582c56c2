import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Slot } from '../../../src/domain/interface/model.ts'
import { located } from '../../../src/domain/interface/schema/source.ts'
import { createFits } from '../../../src/io/mock/fit-check.ts'
import { createSampler } from '../../../src/io/mock/sampler.ts'
import type { JsonObject } from '../../../src/protocol/json/json.ts'
import { wholeSchema } from '../../domain/interface/laws/arbitrary-schemas.ts'
import { validatorOf } from '../../support/schema-samples.ts'

const slotOf = (schema: JsonObject): Slot => ({
  at: 'model',
  sender: 'provider',
  required: true,
  schema: located(schema),
})

test('a sample always fits its schema, and the same seed makes the same one', async () => {
  const sample = await createSampler(createFits())
  let found = 0
  fc.assert(
    fc.property(wholeSchema, fc.nat(1000), (schema, seed) => {
      const made = sample(slotOf(schema), seed)
      if (made === undefined) return
      found++
      expect(validatorOf(schema)?.(made)).toBe(true)
      expect(sample(slotOf(structuredClone(schema)), seed)).toEqual(made)
    }),
    { numRuns: 60 },
  )
  expect(found).toBeGreaterThan(40)
})

test('a sample shows what may be left out, and takes examples of fields', async () => {
  const sample = await createSampler(createFits())
  const properties = {
    name: { type: 'string', example: 'Ada' },
    note: { type: 'string', examples: ['hello'] },
    example: { type: 'boolean' },
  }
  const value = sample(slotOf({ type: 'object', properties }), 1)
  expect(value).toEqual({ name: 'Ada', note: 'hello', example: expect.any(Boolean) })
  const wrong = { type: 'integer', example: 'no number' }
  expect(sample(slotOf({ type: 'object', required: ['wrong'], properties: { wrong } }), 1)).toEqual({
    wrong: expect.any(Number),
  })
})
