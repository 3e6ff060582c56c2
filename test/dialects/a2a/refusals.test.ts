import { expect, test } from 'vitest'
import { errorOf, refused } from '../../../src/dialects/a2a/refusals.ts'
import { FAULTS, Fault, type FaultKind } from '../../../src/protocol/fault.ts'

const kinds = Object.keys(FAULTS) as FaultKind[]

test.each(kinds)('%s has a code in both versions, and its kind where programs find it', (kind) => {
  const fault = new Fault(kind, 'So it is', { next: 'Do this', data: { field: 'a', count: 2 } })
  const legacy = errorOf(fault, '0.3')
  const { code, data } = errorOf(fault, '1.0')
  expect(code).toBe(legacy.code)
  expect(code).toBeLessThanOrEqual(-32000)
  expect(code).toBeGreaterThanOrEqual(-32700)
  expect(legacy.data).toEqual(fault.details)
  expect(data).toMatchObject([
    {
      reason: expect.stringMatching(/^[A-Z_]+$/),
      metadata: { kind, next: 'Do this', field: 'a', count: '2' },
    },
  ])
})

test('a reason of A2A goes before the kind', () => {
  const fault = refused('TASK_NOT_CANCELABLE', 'It has ended')
  expect(errorOf(fault, '1.0')).toMatchObject({ code: -32002, data: [{ reason: 'TASK_NOT_CANCELABLE' }] })
  expect(errorOf(fault, '0.3')).toEqual({
    code: -32002,
    message: 'It has ended',
    data: { kind: 'conflict', retryable: false },
  })
})

test('an error of the inside is told as such and no more', () => {
  const fault = Fault.from(new TypeError('cannot read properties of undefined'))
  expect(errorOf(fault, '0.3')).toEqual({
    code: -32603,
    message: 'Server error',
    data: { kind: 'internal', retryable: true },
  })
})
