import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { buildConnector } from 'undici'
import { describe, expect, test } from 'vitest'
import { ensureCertificate } from '../../../src/io/identity/certificate.ts'
import { createAdpClient } from '../../../src/io/outbound/adp-client.ts'
import { createAgentWire } from '../../../src/io/outbound/agent-wire.ts'
import { type ConnectionRules, createConnector } from '../../../src/io/outbound/connector.ts'
import { createPeerClient } from '../../../src/io/outbound/peer-client.ts'
import { type Folder, folderWith } from '../../support/folders/folder.ts'

interface Canary extends AsyncDisposable {
  port: number
  hits: string[]
}

/** Something that must not be called, and that would gladly answer. */
async function canary(certificate?: { cert: string; key: string }): Promise<Canary> {
  const hits: string[] = []
  const server = certificate === undefined ? createHttpServer() : createHttpsServer(certificate)
  server.on('request', (request, response) => {
    hits.push(request.url ?? '')
    if (request.url === '/away') response.writeHead(302, { location: '/stolen' })
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    hits,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function clientWith(rules: ConnectionRules, resolve?: (name: string) => Promise<string[]>) {
  const client = createPeerClient({ agentId: 'aid://a/b@1', endpoint: '', rulesFor: () => rules, resolve })
  return {
    get: (url: string) => client.get(url, 3000),
    [Symbol.asyncDispose]: () => client.destroy(),
  }
}

/** What connecting to a place over TLS ends with, which nobody else but undici ever sees. */
const failureOf = (connect: buildConnector.connector, hostname: string, port: string) =>
  new Promise<Error | null>((resolve) =>
    connect({ hostname, host: hostname, protocol: 'https:', port }, (...[error]) => resolve(error)),
  )

describe('what a public caller named', () => {
  test.each([
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.1',
    '127.0.0.1.',
    'user:secret@127.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::1]',
    '[::]',
    '0',
    'localhost',
    'LOCALHOST',
    '[64:ff9b::7f00:1]',
  ])('does not lead us to ourselves as %s', async (host) => {
    await using inner = await canary()
    await using client = clientWith({ reach: 'public' })
    for (const scheme of ['http', 'https'])
      await expect(client.get(`${scheme}://${host}:${inner.port}/`)).rejects.toThrow('is not called')
    expect(inner.hits).toEqual([])
  })

  test('does not lead us to ourselves by a name either, nor when only one of its addresses is ours', async () => {
    await using inner = await canary()
    const names: Record<string, string[]> = {
      'ours.example': ['127.0.0.1'],
      'both.example': ['1.1.1.1', '127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
      'mapped.example': ['::ffff:127.0.0.1'],
      'zone.example': ['fe80::1%lo'],
      'nowhere.example': [],
    }
    await using client = clientWith({ reach: 'public' }, async (name) => names[name] ?? [])
    for (const name of Object.keys(names))
      await expect(client.get(`https://${name}:${inner.port}/`)).rejects.toThrow('is not called')
    expect(inner.hits).toEqual([])
  })
})

test('a name is looked up once for a connection, so what it says a moment later does not count', async () => {
  await using wanted = await canary()
  let lookups = 0
  const rebinding = async () => (lookups++ === 0 ? ['127.0.0.1'] : ['169.254.169.254'])
  await using client = clientWith({ reach: 'loopback' }, rebinding)
  expect(await client.get(`http://name.example:${wanted.port}/`)).toBe('{}')
  expect(lookups).toBe(1)
})

test('a name that first was outside and then is ours is not followed to us', async () => {
  await using inner = await canary()
  let lookups = 0
  const rebinding = async () => (lookups++ === 0 ? ['192.0.2.99'] : ['127.0.0.1'])
  await using client = clientWith({ reach: 'private' }, rebinding)
  const url = `http://name.example:${inner.port}/`
  await expect(client.get(url)).rejects.toThrow('plain http is only used on this machine')
  await expect(client.get(url)).rejects.toThrow(
    'it is at a loopback address and was named from a private one',
  )
  expect(inner.hits).toEqual([])
})

describe('a connection that fails at once is told to whoever asked for it, and to nobody else', () => {
  // The kernel refuses to connect to a broadcast address without sending anything, as it does where there is no route.
  const NO_ROUTE = ['127.255.255.255']

  test.each([
    ['http', undefined],
    ['https', undefined],
    ['https', 'ab'.repeat(32)],
  ])('by %s to a name, with the certificate %s', async (scheme, certificate) => {
    await using client = clientWith({ reach: 'loopback', certificate }, async () => NO_ROUTE)
    await expect(client.get(`${scheme}://name.example:9/`)).rejects.toThrow('cannot be reached')
  })

  test('by every way out of the daemon', async () => {
    const place = { agentId: 'aid://a/b@1', endpoint: '', resolve: async () => NO_ROUTE }
    const rulesFor = (): ConnectionRules => ({ reach: 'loopback', certificate: 'ab'.repeat(32) })
    const peers = createPeerClient({ ...place, rulesFor })
    const wire = createAgentWire({ ...place, rulesFor })
    const url = 'https://name.example:9'
    const exchange = createAdpClient({ ...place, url, timeoutMillis: 3000 })
    const search = { query: '', filters: { protocols: [] }, limit: 1, offset: 0 }
    const { signal } = new AbortController()
    for (const call of [
      () => peers.get(url, 3000),
      () => peers.post(url, '{}', 3000),
      () => peers.file(url, 3000)[Symbol.asyncIterator]().next(),
      () => wire.post(url, { body: '{}', to: place.agentId }, signal),
      () => exchange.register('{}'),
      () => exchange.search(search),
    ])
      await expect(call()).rejects.toThrow(/name\.example:9 cannot be reached: E/)
    await Promise.all([peers.destroy(), wire.destroy(), exchange.destroy()])
  })

  test('to a name of two addresses, of which none can be reached', async () => {
    const resolve = async () => [...NO_ROUTE, ...NO_ROUTE]
    await using client = clientWith({ reach: 'loopback', certificate: 'ab'.repeat(32) }, resolve)
    await expect(client.get('https://name.example:9/')).rejects.toThrow('cannot be reached')
  })

  test('where connecting throws', async () => {
    const connect = createConnector({ reach: 'loopback' }, { timeout: 3000 })
    expect(await failureOf(connect, '127.0.0.1', '99999')).toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' })
  })
})

test('a name that nobody finds is not waited for without end', async () => {
  const resolve = () => new Promise<never>(() => {})
  const connect = createConnector({ reach: 'operator' }, { resolve, timeout: 10 })
  const { message } = (await failureOf(connect, 'name.example', '443')) ?? {}
  expect(message).toBe('https://name.example is not called: its name was not found in time')
})

test('redirects are not followed', async () => {
  await using inner = await canary()
  await using client = clientWith({ reach: 'operator' })
  await expect(client.get(`http://127.0.0.1:${inner.port}/away`)).rejects.toThrow('answered 302')
  expect(inner.hits).toEqual(['/away'])
})

test('nobody is called at a metadata address, not even for the operator', async () => {
  await using client = clientWith({ reach: 'operator' })
  for (const host of ['169.254.169.254', '[fd00:ec2::254]', '0.0.0.0', '[fe80::1]'])
    await expect(client.get(`https://${host}/`)).rejects.toThrow('no daemon can be there')
})

describe('over TLS', () => {
  const certified = async (folder: Folder) => ensureCertificate(folder.path, ['localhost', '127.0.0.1'])

  test('the certificate that was pinned is accepted, and another one gets not even a request', async () => {
    await using folder = await folderWith()
    await using elsewhere = await folderWith()
    const own = await certified(folder)
    await using server = await canary(own)
    const url = `https://localhost:${server.port}/`
    await using client = clientWith({ reach: 'loopback', certificate: own.fingerprint })
    expect(await client.get(url)).toBe('{}')
    expect(await client.get(url)).toBe('{}')
    const { fingerprint } = await certified(elsewhere)
    await using deceived = clientWith({ reach: 'loopback', certificate: fingerprint })
    await expect(deceived.get(url)).rejects.toThrow('another certificate than the one that was pinned')
    expect(server.hits).toHaveLength(2)
  })

  test('without a pin nobody vouches for a self-signed certificate', async () => {
    await using folder = await folderWith()
    await using server = await canary(await certified(folder))
    await using client = clientWith({ reach: 'operator' })
    await expect(client.get(`https://localhost:${server.port}/`)).rejects.toThrow(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    )
    expect(server.hits).toEqual([])
  })

  test('whoever has a pinned certificate is not called without it', async () => {
    await using server = await canary()
    await using client = clientWith({ reach: 'loopback', certificate: 'ab'.repeat(32) })
    await expect(client.get(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('only https will do')
    expect(server.hits).toEqual([])
  })
})
