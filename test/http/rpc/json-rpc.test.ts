import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../src/io/system/clock.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon()
})
afterAll(() => backend[Symbol.asyncDispose]())

const call = (id: unknown, method = 'cacp/project/list', params: unknown = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
})

describe('POST /', () => {
  test('a success has result and id and no error key [cacp-transport-1] [cacp-transport-2]', async () => {
    const { status, headers, json } = await backend.post(call('request-123'))
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json')
    expect(json).toEqual({ jsonrpc: '2.0', id: 'request-123', result: { projects: [] } })
  })

  test('an error has code, message and id and no result key [cacp-transport-3] [cacp-errors-4]', async () => {
    const { status, json } = await backend.post(call(7, 'cacp/project/get'))
    expect(status).toBe(200)
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: {
        code: -32602,
        message: 'Invalid params: projectId required',
        data: {
          kind: 'invalid_params',
          retryable: false,
          call: { method: 'cacp/project/list', params: {} },
          field: 'projectId',
          next: expect.stringContaining('cacp/project/create'),
        },
      },
    })
  })

  test.each(['{not json', '', '{"jsonrpc":"2.0",', '\u0000'])(
    '%j is a parse error with id null [cacp-errors-1]',
    async (body) => {
      const { status, json } = await backend.post(body)
      expect(status).toBe(200)
      expect(json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } })
    },
  )

  test.each([
    [{ method: 'x', id: 7 }, 7],
    [{ jsonrpc: '1.0', method: 'x', id: 7 }, 7],
    [{ jsonrpc: '2.0', id: 7 }, 7],
    [{ jsonrpc: '2.0', method: 5, id: 7 }, 7],
    [{ jsonrpc: '2.0', method: null, id: 'a' }, 'a'],
    [{ jsonrpc: '2.0', method: 'x', id: {} }, null],
    [{ jsonrpc: '2.0', method: 'x', id: [1] }, null],
    [{ jsonrpc: '2.0', method: 'x', id: true }, null],
    [1, null],
    ['text', null],
    [null, null],
    [[], null],
  ])('%j is an invalid request and keeps the id it can [cacp-errors-2]', async (body, id) => {
    const { status, json } = await backend.post(JSON.stringify(body))
    expect(status).toBe(200)
    expect(json).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } })
  })

  test.each(['cacp/nothing', 'toString', '__proto__', 'constructor', ''])(
    '%j is not found [cacp-errors-3]',
    async (method) => {
      const { json } = await backend.post(call(1, method))
      expect(json).toMatchObject({ id: 1, error: { code: -32601, data: { kind: 'method_not_found' } } })
    },
  )

  test.each([0, -1, 1.5, '', 'ü', null])('the id %j comes back as it was sent', async (id) => {
    expect((await backend.post(call(id))).json.id).toBe(id)
  })

  test.each([['"text"'], ['7'], ['[1]'], ['null']])('params %s are invalid params', async (params) => {
    const { json } = await backend.post(
      `{"jsonrpc":"2.0","id":1,"method":"cacp/project/list","params":${params}}`,
    )
    expect(json.error).toMatchObject({ code: -32602 })
  })

  test('a batch answers each call that has an id, and only those [cacp-transport-4]', async () => {
    const { status, json } = await backend.post([
      call(1),
      { jsonrpc: '2.0', method: 'cacp/project/list' },
      call(2, 'cacp/nothing'),
      7,
      { foo: 'boo' },
    ])
    expect(status).toBe(200)
    expect(json).toHaveLength(4)
    expect(json).toMatchObject([
      { id: 1, result: { projects: [] } },
      { id: 2, error: { code: -32601 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ])
  })

  test('a batch of one answers an array of one', async () => {
    expect((await backend.post([call(1)])).json).toEqual([
      { jsonrpc: '2.0', id: 1, result: { projects: [] } },
    ])
    expect((await backend.post([1])).json).toMatchObject([{ error: { code: -32600 } }])
  })

  test('notifications get 204 and no body, also in a batch and also when they fail [cacp-transport-4]', async () => {
    const notification = { jsonrpc: '2.0', method: 'cacp/project/get', params: {} }
    for (const body of [
      notification,
      [notification, notification],
      { jsonrpc: '2.0', method: 'cacp/nothing' },
    ]) {
      expect(await backend.post(body)).toMatchObject({ status: 204, text: '' })
    }
  })

  test('a notification takes effect', async () => {
    await using own = await daemon()
    await own.post({
      jsonrpc: '2.0',
      method: 'cacp/project/create',
      params: { name: 'Quiet', objective: '' },
    })
    expect((await own.rpc('cacp/project/list')).projects).toMatchObject([{ name: 'Quiet' }])
  })

  test('a batch of more than 50 calls is refused as a whole', async () => {
    const { json } = await backend.post(Array.from({ length: 51 }, (_, index) => call(index)))
    expect(json).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('at most 50') },
    })
  })

  test.each([
    ['too deep', `${'['.repeat(9000)}${']'.repeat(9000)}`, /levels deep/],
    ['an integer beyond 2^53', '9007199254740993', /beyond 2\^53/],
    ['a number that overflows', '1e999', /too large/],
    ['half of a surrogate pair', '"\\ud800"', /surrogate/],
  ])('a value that is %s is refused, the rest of its batch is done', async (_what, value, message) => {
    const bad = `{"jsonrpc":"2.0","id":1,"method":"cacp/project/create","params":{"name":"n","objective":"o","odd":${value}}}`
    const { json } = await backend.post(`[${bad},${JSON.stringify(call(2))}]`)
    expect(json).toMatchObject([
      { id: 1, error: { code: -32602, message: expect.stringMatching(message) } },
      { id: 2, result: {} },
    ])
  })

  test('rpc.discover answers the OpenRPC document', async () => {
    const result = await backend.rpc('rpc.discover')
    expect(result).toEqual((await backend.fetch('/openrpc.json')).json)
  })
})

describe('an unexpected failure', () => {
  test('is -32000 and tells nothing of the inside [cacp-errors-5]', async () => {
    let isBroken = false
    const newNonce = () => {
      if (isBroken) throw new Error('secret text at /etc/cacpd/secret.ts:7')
      return systemClock.newNonce()
    }
    await using own = await daemon({}, { clock: { ...systemClock, newNonce } })
    isBroken = true
    const { status, text, json } = await own.post(
      call(1, 'cacp/project/create', { name: 'n', objective: 'o' }),
    )
    expect(status).toBe(200)
    expect(json).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32000, message: 'Server error', data: { kind: 'internal', retryable: true } },
    })
    expect(text).not.toContain('secret')
    expect((await own.rpc('cacp/project/list')).projects).toEqual([])
  })
})
