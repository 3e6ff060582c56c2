import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon()
})
afterAll(() => backend[Symbol.asyncDispose]())

const LIST = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }

/** What is answered to a request that names its host twice, the second time falsely. */
async function saidTwice(line: string): Promise<string> {
  const { host, port } = new URL(backend.url)
  const socket = connect(Number(port), '127.0.0.1')
  await once(socket, 'connect')
  const heard = text(socket)
  socket.write(
    `${line} HTTP/1.1\r\nHost: ${host}\r\nhost: evil.example\r\nAuthorization: Bearer ${backend.key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`,
  )
  return heard
}

test('who is not let in is told just that, also of a body that is too large for strangers', async () => {
  const body = { ...LIST, params: { text: 'x'.repeat(1.2 * 1024 * 1024) } }
  // The rest of the body may be cut off, and no other call on the same connection with it.
  const headers = { authorization: 'Bearer cacp_sk_live_nobody', connection: 'close' }
  const { status, json } = await backend.post(body, headers)
  expect(status).toBe(401)
  expect(json.error.data).toMatchObject({ kind: 'unauthorized' })
})

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

  test.each(['1e400', '-1e400'])('the id %s, which is no number any more when it is read', async (id) => {
    const { status, json } = await backend.post(`{"jsonrpc":"2.0","id":${id},"method":"cacp/project/list"}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining('id must be') },
    })
    const mcp = await backend.fetch('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: `{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`,
    })
    expect(mcp.json).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test.each(['utf-16', '"UTF-16LE"', 'iso-8859-1', ''])('a body in the charset %s', async (charset) => {
    const headers = { 'content-type': `application/json; charset=${charset}` }
    const { status, json } = await backend.post(LIST, headers)
    expect(status).toBe(415)
    expect(json.error.message).toContain('only UTF-8 is read')
    const init = { method: 'POST' as const, headers, body: '{}' }
    expect((await backend.fetch('/peers/register', init)).status).toBe(415)
  })

  test.each(['utf-8', '"UTF-8"', 'utf8'])('but not a body in the charset %s', async (charset) => {
    const reply = await backend.post(LIST, { 'content-type': `application/json; charset=${charset}` })
    expect(reply.status).toBe(200)
  })

  test.each(['POST /', 'GET /health', 'POST /mcp'])('%s with two Host headers', async (line) => {
    const heard = await saidTwice(line)
    expect(heard).toMatch(/^HTTP\/1\.1 400 /)
    expect(heard).toContain('Host: the request has more than one')
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
