import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon()
})
afterAll(() => backend[Symbol.asyncDispose]())

const LIST = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }

describe('what would be changed or lost on the way is refused', () => {
  test('an id beyond 2^53', async () => {
    const { json } = await backend.post(
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"cacp/project/list"}',
    )
    expect(json).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('2^53') },
    })
  })

  test('a call that comes with its own result', async () => {
    const { json } = await backend.post({ ...LIST, result: {} })
    expect(json).toMatchObject({
      id: 1,
      error: { code: -32600, message: 'Invalid request: a call has neither result nor error' },
    })
  })

  test('one idempotency key for a whole batch', async () => {
    const { json } = await backend.post([LIST], { 'idempotency-key': 'k1' })
    expect(json.error).toMatchObject({
      code: -32600,
      data: { next: expect.stringContaining('params.idempotencyKey') },
    })
  })

  test('a body that is packed', async () => {
    const { status, json } = await backend.post(LIST, { 'content-encoding': 'gzip' })
    expect(status).toBe(415)
    expect(json.error.message).toContain('Content-Encoding')
  })
})
