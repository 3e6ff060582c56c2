import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { PROOF_PATH, PROOF_TYP, proofClaims } from '../../../src/domain/trust/proof.ts'
import type { PublicKey } from '../../../src/domain/trust/trust.ts'
import { openIdentity } from '../../../src/io/identity/identity.ts'
import { createAgentWire } from '../../../src/io/outbound/agent-wire.ts'
import { createPeerClient } from '../../../src/io/outbound/peer-client.ts'
import type { PeerTargetOptions } from '../../../src/io/outbound/peer-target.ts'
import { proveSocket } from '../../../src/io/outbound/proven-socket.ts'
import { systemClock } from '../../../src/io/system/clock.ts'
import { folderWith } from '../../support/folders/folder.ts'

const AGENT = 'aid://example.com/frontend@1.0.0'
const KEY = 'cacp_sk_live_secret'
const CONTENTS = '{"secret":"contents"}'
const MILLIS = 4000

async function listening(server: Server, host = '127.0.0.1', port = 0) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

async function newIdentity() {
  await using folder = await folderWith()
  return await openIdentity(folder.path, systemClock)
}
type Signing = Awaited<ReturnType<typeof newIdentity>>

/** A daemon as far as it matters here: it proves who it is, and answers everything else with what it was shown. */
async function prover({ sign }: Pick<Signing, 'sign'>) {
  const seen: string[] = []
  const server = createHttpServer(async ({ url = '', method, headers, socket }, response) => {
    seen.push(`${method} ${url.startsWith(PROOF_PATH) ? 'proof' : url} ${headers.authorization ?? ''}`.trim())
    const challenge = url.slice(PROOF_PATH.length + 1)
    const { localAddress: address = '', localPort } = socket
    const endpoint = `http://127.0.0.1:${localPort}`
    const claims = proofClaims({ agentId: AGENT, challenge, endpoint, address, iat: 0 })
    const text = JSON.stringify({ proof: await sign(claims, PROOF_TYP) })
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length }).end(text)
  })
  return Object.assign(await listening(server), { seen })
}

/** Something in the place of the peer, and every byte that it is sent. */
async function impostor(answer: (asked: string) => Promise<string> | string, host?: string, port?: number) {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', async (data) => {
      seen.push(data.toString())
      const [, path = ''] = data.toString().split(' ')
      socket.write(await answer(path))
    })
  })
  return Object.assign(await listening(server, host, port), { seen })
}

const answering = (text: string, headers = `content-length: ${text.length}`): string =>
  `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${text}`

function callers(key: PublicKey) {
  const pinned = { agentId: AGENT, key }
  const options: PeerTargetOptions = {
    agentId: 'aid://example.com/backend@1.0.0',
    endpoint: 'http://127.0.0.1:9',
    rulesFor: () => ({ reach: 'loopback', peer: { ...pinned, basePath: '' } }),
    keyFor: () => KEY,
    resolve: async () => ['127.0.0.1', '::1'],
  }
  const client = createPeerClient(options)
  const wire = createAgentWire(options)
  return {
    /** As who else, or under which key, the peer is looked for from now on. */
    pinned,
    client,
    /** Every way in which a key is shown to a peer. */
    ways: (url: string): Promise<unknown>[] => [
      client.post(url, CONTENTS, MILLIS, AGENT),
      client.file(`${url}files/a`, MILLIS, AGENT)[Symbol.asyncIterator]().next(),
      wire.post(url, { body: CONTENTS, to: AGENT }, AbortSignal.timeout(MILLIS)),
    ],
    [Symbol.asyncDispose]: async () => {
      await client.destroy()
      await wire.destroy()
    },
  }
}
type Callers = ReturnType<typeof callers>

async function expectNothingShown(from: Callers, url: string, seen: readonly string[]): Promise<void> {
  for (const way of await Promise.allSettled(from.ways(url)))
    expect(way).toMatchObject({
      status: 'rejected',
      reason: { kind: 'unavailable', message: expect.stringContaining('A stranger answers at') },
    })
  expect(seen.length).toBeGreaterThan(0)
  for (const sent of seen) expect(sent).toMatch(/^GET \/\.well-known\/cacpd-proof\/[\w-]{43} HTTP\/1\.1\r\n/)
  expect(seen.join()).not.toMatch(/authorization|secret|POST|x-agent-id/i)
}

describe('a connection in clear to a pinned peer', () => {
  test('is proven once, before anything is sent, and then used for call after call', async () => {
    const identity = await newIdentity()
    await using peer = await prover(identity)
    await using from = callers(identity.publicKey)
    const url = `http://127.0.0.1:${peer.port}/`
    for (let times = 0; times < 6; times++) await from.client.post(url, CONTENTS, MILLIS, AGENT)
    const proofs = peer.seen.filter((line) => line === 'GET proof')
    expect(peer.seen.filter((line) => line === `POST / Bearer ${KEY}`)).toHaveLength(6)
    expect(peer.seen).toHaveLength(6 + proofs.length)
    expect(proofs).toHaveLength(peer.connections.size)
    expect(peer.connections.size).toBeLessThanOrEqual(2)
    await Promise.all(from.ways(url))
  })

  test('is proven anew when it was cut', async () => {
    const identity = await newIdentity()
    await using peer = await prover(identity)
    await using from = callers(identity.publicKey)
    const url = `http://127.0.0.1:${peer.port}/`
    await from.client.post(url, CONTENTS, MILLIS, AGENT)
    const before = peer.connections.size
    for (const socket of peer.connections) socket.destroy()
    await expect.poll(() => from.client.post(url, CONTENTS, MILLIS, AGENT).catch(() => null)).not.toBeNull()
    expect(peer.connections.size).toBeGreaterThan(before)
    expect(peer.seen.filter((line) => line === 'GET proof')).toHaveLength(peer.connections.size)
  })

  test('is not used for another peer, nor under another key of the same', async () => {
    const identity = await newIdentity()
    await using peer = await prover(identity)
    await using from = callers(identity.publicKey)
    const url = `http://127.0.0.1:${peer.port}/`
    await from.client.post(url, CONTENTS, MILLIS, AGENT)
    from.pinned.agentId = 'aid://example.com/mobile@1.0.0'
    await expect(from.client.post(url, CONTENTS, MILLIS, AGENT)).rejects.toThrow('A stranger answers at')
    from.pinned.agentId = AGENT
    from.pinned.key = (await newIdentity()).publicKey
    await expect(from.client.post(url, CONTENTS, MILLIS, AGENT)).rejects.toThrow('A stranger answers at')
    expect(peer.seen.filter((line) => line.startsWith('POST'))).toHaveLength(1)
  })

  test('is not asked for where only a public document is wanted, which gets no key', async () => {
    const identity = await newIdentity()
    await using peer = await prover(identity)
    await using from = callers((await newIdentity()).publicKey)
    await from.client.get(`http://127.0.0.1:${peer.port}/health`, MILLIS, AGENT)
    expect(peer.seen).toEqual(['GET /health'])
  })
})

describe('whoever has the port of a pinned peer gets neither key nor contents', () => {
  test.each([
    ['another page', answering('<html>')],
    ['a made-up proof', answering('{"proof":"a.b.c"}')],
    ['an error', 'HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n'],
    ['an answer in chunks', answering('5\r\nhello\r\n0\r\n\r\n', 'transfer-encoding: chunked')],
    ['two lengths', answering('{}', 'content-length: 2\r\ncontent-length: 0')],
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}`],
    ['more than it announced', answering('{}x', 'content-length: 2')],
  ])('when it answers %s', async (_what, answer) => {
    await using taker = await impostor(() => answer)
    await using from = callers((await newIdentity()).publicKey)
    await expectNothingShown(from, `http://127.0.0.1:${taker.port}/`, taker.seen)
  })

  test('when it has the proof from the real one, which is at another port', async () => {
    const identity = await newIdentity()
    await using real = await prover(identity)
    const relayed = async (path: string) =>
      answering(await (await request(`http://127.0.0.1:${real.port}${path}`)).body.text())
    await using taker = await impostor(relayed)
    await using from = callers(identity.publicKey)
    await expectNothingShown(from, `http://127.0.0.1:${taker.port}/`, taker.seen)
    expect(real.seen.length).toBeGreaterThan(0)
  })

  test('when it has the proof from the real one, which has the same port of another address', async () => {
    const identity = await newIdentity()
    await using real = await prover(identity)
    const relayed = async (path: string) =>
      answering(await (await request(`http://127.0.0.1:${real.port}${path}`)).body.text())
    await using taker = await impostor(relayed, '127.0.0.2', real.port)
    await using from = callers(identity.publicKey)
    await expectNothingShown(from, `http://127.0.0.2:${taker.port}/`, taker.seen)
    expect(real.seen.length).toBeGreaterThan(0)
  })

  test('when it goes on by itself after a proof that is right', async () => {
    const identity = await newIdentity()
    const ended = async (rest: string) => {
      const place = { address: '127.0.0.1', endpoint: '' }
      await using taker = await impostor(async (path) => {
        const claims = proofClaims({
          agentId: AGENT,
          challenge: path.slice(PROOF_PATH.length + 1),
          ...place,
          iat: 0,
        })
        return answering(JSON.stringify({ proof: await identity.sign(claims, PROOF_TYP) })) + rest
      })
      place.endpoint = `http://127.0.0.1:${taker.port}`
      await using from = callers(identity.publicKey)
      const [posted = Promise.resolve()] = from.ways(`${place.endpoint}/`).map((way) => way.catch(() => {}))
      await posted
      return taker.seen.some((sent) => sent.includes(KEY))
    }
    expect(await ended('')).toBe(true)
    expect(await ended('HTTP/1.1 200 OK\r\n')).toBe(false)
  })

  test('when it says nothing, for longer than anybody waits', async () => {
    await using silent = await impostor(() => '')
    const { publicKey: key } = await newIdentity()
    const socket = connect(silent.port, '127.0.0.1')
    await once(socket, 'connect')
    const proven = proveSocket(
      socket,
      { agentId: AGENT, key, basePath: '/base' },
      { host: 'a:1', timeout: 50 },
    )
    await expect(proven).rejects.toThrow(
      'A stranger answers at http://a:1: asked to prove who it is, it did not answer in time',
    )
    expect(socket.destroyed).toBe(true)
    await expect
      .poll(() => silent.seen.join())
      .toMatch(/^GET \/base\/\.well-known\/cacpd-proof\/[\w-]{43} HTTP\/1\.1\r\nhost: a:1\r\n/)
  })
})
