import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { REPLICATION_RULES } from '../../src/engine/replicate/rules.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { fakePeer } from '../support/network/fake-peer.ts'

const NO_KEY = { authorization: '' }

async function register(at: TestDaemon, body: object, headers: Record<string, string> = {}) {
  const { json } = await at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return json
}

const peersOf = async (at: TestDaemon) => (await at.fetch('/peers')).json.peers
const healthOf = async (at: TestDaemon) => (await peersOf(at)).map((peer: { health: string }) => peer.health)

describe('a registration', () => {
  test.each([
    ['the operator', false, {}],
    ['anybody at an open daemon', true, NO_KEY],
  ])('by %s is approved: the card is read and the announcement sent back', async (_who, open, headers) => {
    await using backend = await daemon({ open })
    await using fake = await fakePeer()
    expect(await register(backend, fake.registration, headers)).toEqual({
      status: 'registered',
      peerCount: 1,
    })
    await expect.poll(() => healthOf(backend)).toEqual(['healthy'])
    expect(fake.requests[0]).toBe('GET /.well-known/agent.json')
    expect(fake.calls[0]).toBe('cacp/peer/announce')
    expect(await peersOf(backend)).toMatchObject([
      { ...fake.registration, trust: 'approved', behind: 0, breaker: 'closed', lastError: null, aside: [] },
    ])
  })

  test('can be repeated', async () => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer()
    for (let n = 0; n < 3; n++)
      expect(await register(backend, fake.registration)).toEqual({ status: 'registered', peerCount: 1 })
    await expect.poll(() => healthOf(backend)).toEqual(['healthy'])
  })

  test('does not make the caller wait for an endpoint that never answers', async () => {
    await using backend = await daemon({ open: true })
    const hole = createServer(() => {}).listen(0, '127.0.0.1')
    await once(hole, 'listening')
    const { port } = hole.address() as AddressInfo
    const reached = once(hole, 'connection')
    const before = performance.now()
    await register(backend, {
      agentId: 'aid://example.com/hole@1.0.0',
      endpoint: `http://127.0.0.1:${port}`,
      repoName: 'hole',
    })
    expect(performance.now() - before).toBeLessThan(REPLICATION_RULES.probeMillis / 4)
    await reached
    expect(await healthOf(backend)).toEqual(['connecting'])
    hole.close()
  })

  test('without a key is pending and causes no call, until it comes with one', async () => {
    await using backend = await daemon()
    await using stranger = await fakePeer({ name: 'stranger' })
    await using friend = await fakePeer({ name: 'friend' })
    expect(await register(backend, stranger.registration, NO_KEY)).toEqual({
      status: 'pending',
      peerCount: 0,
    })
    await register(backend, friend.registration)
    await expect.poll(() => healthOf(backend)).toEqual(['pending', 'healthy'])
    expect(stranger.requests).toEqual([])
    await register(backend, stranger.registration)
    await expect.poll(() => healthOf(backend)).toEqual(['healthy', 'healthy'])
  })

  test('ends with the removal of the peer, which hears nothing more', async () => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer()
    await register(backend, fake.registration)
    await expect.poll(() => healthOf(backend)).toEqual(['healthy'])
    await backend.rpc('cacp/peer/remove', { agentId: fake.agentId })
    const heard = fake.calls.length
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    await using other = await fakePeer({ name: 'other' })
    await register(backend, other.registration)
    await expect.poll(() => other.calls).toContain('cacp/sync/statements')
    expect(fake.calls).toHaveLength(heard)
  })
})

describe('a card', () => {
  test.each([
    ['3.1', 'It speaks CACP 3.1, and this daemon speaks 2.0'],
    ['1.0', 'It speaks CACP 1.0, and this daemon speaks 2.0'],
  ])('of version %s is refused with the reason', async (cacp, reason) => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({ cacp })
    await register(backend, fake.registration)
    await expect
      .poll(() => peersOf(backend))
      .toMatchObject([{ health: 'incompatible', isHealthy: false, lastError: reason }])
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    expect(fake.requests).toEqual(['GET /.well-known/agent.json'])
    await expect(backend.rpc('cacp/peer/add', { url: fake.url })).rejects.toThrow(reason)
  })

  test('of another agent than the registered one is not talked to', async () => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer()
    await register(backend, { ...fake.registration, agentId: 'aid://example.com/other@1.0.0' })
    await expect
      .poll(() => peersOf(backend))
      .toMatchObject([{ lastError: `Another agent answers there: ${fake.agentId}` }])
    expect(fake.calls).toEqual([])
  })

  test('that was refused is read again later', async () => {
    const rules = { ...REPLICATION_RULES, breaker: { ...REPLICATION_RULES.breaker, openMillis: 300 } }
    await using backend = await daemon({ open: true }, { rules })
    const { registration, [Symbol.asyncDispose]: leave } = await fakePeer({ cacp: '3.0' })
    await register(backend, registration)
    await expect.poll(() => healthOf(backend)).toEqual(['incompatible'])
    await leave()
    await using _updated = await fakePeer({ port: Number(new URL(registration.endpoint).port) })
    await expect.poll(() => healthOf(backend), { timeout: 5000 }).toEqual(['healthy'])
  })

  test('that names no version is a failure, and tried again', async () => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({ cacp: undefined })
    await register(backend, fake.registration)
    await expect.poll(() => fake.requests.length).toBeGreaterThan(1)
    expect(await peersOf(backend)).toMatchObject([
      { health: 'failing', lastError: 'Its agent card does not say which version of CACP it speaks' },
    ])
  })

  test('of another minor version is welcome', async () => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({ cacp: '2.7' })
    await register(backend, fake.registration)
    await expect.poll(() => healthOf(backend)).toEqual(['healthy'])
  })
})

describe('/health', () => {
  test('counts the peers, and tells members how they are', async () => {
    await using backend = await daemon({ open: true })
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    await using fake = await fakePeer()
    await register(backend, fake.registration)
    await register(backend, {
      agentId: 'aid://example.com/dead@1.0.0',
      endpoint: 'http://127.0.0.1:9',
      repoName: 'dead',
    })
    await expect
      .poll(async () => (await backend.fetch('/health')).json)
      .toMatchObject({ peerCount: 2, peers: { healthy: 1, behind: 1 } })
  })
})

describe('a peer that was away', () => {
  const rules = {
    ...REPLICATION_RULES,
    breaker: { ...REPLICATION_RULES.breaker, openAfterFailures: 1 },
  }

  test('is talked to again as soon as it shows itself, whatever was waited for', async () => {
    await using backend = await daemon({ open: true }, { rules })
    const { registration, [Symbol.asyncDispose]: leave } = await fakePeer()
    await leave()
    await register(backend, registration)
    await expect.poll(() => healthOf(backend)).toEqual(['paused'])
    await using _back = await fakePeer({ port: Number(new URL(registration.endpoint).port) })
    await backend.rpc('cacp/peer/announce', {}, { ...NO_KEY, 'x-agent-id': registration.agentId })
    await expect.poll(() => healthOf(backend)).toEqual(['healthy'])
  })

  test('is tried at once when the operator asks for it', async () => {
    await using backend = await daemon({ open: true }, { rules })
    const { registration, [Symbol.asyncDispose]: leave } = await fakePeer()
    await leave()
    await register(backend, registration)
    await expect.poll(() => healthOf(backend)).toEqual(['paused'])
    await using _back = await fakePeer({ port: Number(new URL(registration.endpoint).port) })
    await backend.rpc('cacp/peer/sync', {})
    await expect.poll(() => healthOf(backend)).toEqual(['healthy'])
  })
})
