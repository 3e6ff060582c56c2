import { describe, expect, test } from 'vitest'
import { FAULTS, Fault, type FaultKind } from '../../src/protocol/fault.ts'

const KINDS = Object.keys(FAULTS) as FaultKind[]

describe('every kind of failure', () => {
  test.each(KINDS)("%s has one of the document's five codes", (kind) => {
    expect([-32700, -32600, -32601, -32602, -32000]).toContain(FAULTS[kind].rpc)
  })

  test.each(KINDS)('%s has an HTTP status that means failure', (kind) => {
    expect(FAULTS[kind].http).toBeGreaterThanOrEqual(400)
    expect(FAULTS[kind].http).toBeLessThan(600)
  })

  test.each<FaultKind>([
    'invalid_params',
    'not_found',
    'conflict',
    'not_member',
    'stale_cursor',
    'idempotency_conflict',
  ])('%s is for the caller to fix: -32602, and sending it again unchanged does not help', (kind) => {
    expect(FAULTS[kind]).toMatchObject({ rpc: -32602, retryable: false })
  })

  test.each<FaultKind>(['storage_full', 'outcome_unknown', 'unavailable', 'unknown_project'])(
    '%s may pass when it is tried again',
    (kind) => {
      expect(FAULTS[kind].retryable).toBe(true)
    },
  )
})

describe('a fault', () => {
  test('tells its kind, whether to retry, the next step and what it is about', () => {
    const fault = new Fault('not_found', 'No project p1 here', {
      next: 'List them',
      data: { projectId: 'p1' },
    })
    expect(fault.message).toBe('No project p1 here')
    expect(fault.details).toEqual({ projectId: 'p1', kind: 'not_found', retryable: false, next: 'List them' })
  })

  test('without a next step has no such key', () => {
    expect(new Fault('conflict', 'no').details).toEqual({ kind: 'conflict', retryable: false })
  })

  test('cannot be made to lie about its kind by its data', () => {
    const fault = new Fault('forbidden', 'no', { data: { kind: 'internal', retryable: true } })
    expect(fault.details).toMatchObject({ kind: 'forbidden', retryable: false })
  })
})

describe('anything else that is thrown', () => {
  test.each([[new Error('password is hunter2')], ['text'], [undefined], [{ message: '/home/ann/secret' }]])(
    'becomes a server error that says nothing of it, and keeps it for the log: %j',
    (thrown) => {
      const fault = Fault.from(thrown)
      expect(fault.kind).toBe('internal')
      expect(fault.message).toBe('Server error')
      expect(fault.details).toEqual({ kind: 'internal', retryable: true })
      expect(fault.cause).toBe(thrown)
    },
  )

  test('but a fault stays itself', () => {
    const fault = new Fault('conflict', 'no')
    expect(Fault.from(fault)).toBe(fault)
  })
})
