import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { type AdpClient, createAdpClient } from '../../../src/io/outbound/adp-client.ts'
import { AID, plainManifest } from '../../support/network/manifests.ts'

interface Seen {
  method: string
  url: string
  body: string
}

interface Served extends AsyncDisposable {
  client: AdpClient
  seen: Seen[]
}

type Answer = (request: Seen, response: ServerResponse) => void

/** A client of an exchange that answers like this. */
async function against(answer: Answer, { path = '', timeoutMillis = 5000 } = {}): Promise<Served> {
  const seen: Seen[] = []
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { method: request.method ?? '', url: request.url ?? '', body }
    seen.push(one)
    answer(one, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createAdpClient({ url: `http://127.0.0.1:${port}${path}`, timeoutMillis })
  return {
    client,
    seen,
    [Symbol.asyncDispose]: async () => {
      await client.destroy()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const saying =
  (status: number, body: unknown): Answer =>
  (_request, response) =>
    void response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))

const entry = { aid: AID, name: 'x', verified: true, manifest: plainManifest() }
const SEARCH = { query: 'x', filters: { protocols: ['cacp'] }, limit: 10, offset: 0 }

describe('registering', () => {
  test('posts the manifest as it is, to the path with a slash at its end', async () => {
    await using served = await against(saying(200, { success: true }))
    await served.client.register('{"price":1.0}')
    expect(served.seen).toEqual([
      { method: 'POST', url: '/v1/register/', body: '{"manifest":{"price":1.0}}' },
    ])
  })

  test.each([
    [201, { success: true }],
    [500, { success: true }],
    [200, { success: 1 }],
  ])('has succeeded when %i comes with %j', async (status, body) => {
    await using served = await against(saying(status, body))
    await expect(served.client.register('{}')).resolves.toBeUndefined()
  })

  test.each([
    [200, {}, 'answered 200'],
    [200, { success: false, message: 'Not you' }, 'answered 200: Not you'],
    [409, { detail: 'It is taken' }, 'answered 409: It is taken'],
    [422, { detail: [{ msg: 'x' }], error: 'bad' }, 'answered 422: bad'],
    [500, 'oops', 'answered 500'],
    [200, '[true]', 'answered 200'],
    [307, '', 'answered 307'],
  ])('has failed when %i comes with %j', async (status, body, message) => {
    await using served = await against(saying(status, body))
    await expect(served.client.register('{}')).rejects.toThrow(message)
    expect(served.seen).toHaveLength(1)
  })
})

describe('looking', () => {
  test.each(['', '/', '//', '/v1', '/v1/'])('works with %j behind the address', async (path) => {
    await using served = await against(saying(200, entry), { path })
    expect((await served.client.get(AID))?.manifest.aid).toBe(AID)
    expect(served.seen[0]?.url).toBe('/v1/agents/aid:%2F%2Fexample.com%2Fbackend@1.0.0')
  })

  test('works below a path, too', async () => {
    await using served = await against(saying(200, { results: [], total: 0 }), { path: '/team/adp/' })
    await served.client.search(SEARCH)
    expect(served.seen.map(({ method, url }) => [method, url])).toEqual([['POST', '/team/adp/v1/search/']])
    expect(JSON.parse(served.seen[0]?.body ?? '')).toEqual(SEARCH)
  })

  test.each([
    ['an object', { results: [entry], total: 7 }, 7],
    ['a bare list, as in the documents', [entry], 1],
    ['manifests without anything around them', { results: [plainManifest()], total: 1 }, 1],
    [
      'one among others that cannot be read',
      { results: [{}, 5, null, entry, { manifest: {} }], total: 5 },
      5,
    ],
  ])('finds agents in %s', async (_what, body, total) => {
    await using served = await against(saying(200, body))
    const page = await served.client.search(SEARCH)
    expect(page.total).toBe(total)
    expect(page.agents.map(({ manifest }) => manifest.aid)).toEqual([AID])
  })

  test('believes that one is verified only where that is said plainly', async () => {
    for (const verified of [true, false, 'true', 1, undefined]) {
      await using served = await against(saying(200, { ...entry, verified }))
      expect((await served.client.get(AID))?.isVerified).toBe(verified === true)
    }
  })

  test('knows that nobody is there from a 404, and takes no other agent for it', async () => {
    await using nobody = await against(saying(404, { detail: 'Not found' }))
    expect(await nobody.client.get(AID)).toBeUndefined()
    await using other = await against(saying(200, entry))
    await expect(other.client.get('aid://example.com/other@1.0.0')).rejects.toThrow('something else')
  })

  test.each([
    ['a redirect', saying(302, ''), 'answered 302'],
    ['no JSON', saying(200, '<html>'), 'cannot be read as JSON'],
    ['nesting without end', saying(200, '['.repeat(100_000)), 'cannot be read as JSON'],
    ['more than anybody asked for', saying(200, `"${'x'.repeat(9 * 1024 * 1024)}"`), 'more than anybody'],
    [
      'a connection that breaks',
      (_: Seen, response: ServerResponse) => void response.destroy(),
      'be reached',
    ],
  ])('says so when it gets %s', async (_what, answer, message) => {
    await using served = await against(answer)
    await expect(served.client.search(SEARCH)).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(message),
    })
    await expect(served.client.get(AID)).rejects.toThrow(message)
  })

  test('waits only so long', async () => {
    await using served = await against(() => {}, { timeoutMillis: 50 })
    await expect(served.client.search(SEARCH)).rejects.toThrow('did not answer in time')
  })

  test('sends nothing in clear to another machine', async () => {
    const client = createAdpClient({
      url: 'http://exchange.test',
      timeoutMillis: 1000,
      resolve: async () => ['192.0.2.1'],
    })
    await expect(client.register('{}')).rejects.toThrow('plain http is only used on this machine')
    await client.destroy()
  })
})
