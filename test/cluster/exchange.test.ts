import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { fakePeer } from '../support/network/fake-peer.ts'

const register = (at: TestDaemon, body: object) =>
  at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const peerOf = async (at: TestDaemon) => (await at.fetch('/peers')).json.peers[0]

interface Sent {
  readonly statements: readonly string[]
}

/** What it was sent, and what it says to each. */
const telling = (outcomeOf: (kind: string) => object, sent: string[] = []) => ({
  'cacp/sync/statements': ({ statements }: Sent) => ({
    outcomes: statements.map((text) => {
      sent.push(text)
      return outcomeOf(JSON.parse(text).kind)
    }),
  }),
})

const REFUSED = { status: 'refused', reason: 'no', retryable: false }
const TAKEN = { status: 'taken' }

describe('what a peer may not see', () => {
  test('is passed by, and everything else goes on', async () => {
    const sent: string[] = []
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({ results: telling(() => TAKEN, sent) })
    await register(backend, fake.registration)
    const create = (name: string, more: object = {}) =>
      backend.rpc('cacp/project/create', { name, objective: 'o', repos: [{ name: 'backend-api' }], ...more })
    await create('open one')
    await create('closed one', { visibility: 'members' })
    await create('last one')
    await expect.poll(() => sent.join()).toContain('last one')
    await expect.poll(() => peerOf(backend)).toMatchObject({ health: 'healthy', behind: 0 })
    expect(sent.join()).toContain('open one')
    expect(sent.join()).not.toContain('closed one')
  })

  test('comes to it as a whole as soon as it may, by comparing at once', async () => {
    await using backend = await daemon()
    await using frontend = await daemon({
      repo: 'frontend-app',
      agentId: 'aid://example.com/frontend@1.0.0',
    })
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    const { projectId } = await backend.rpc('cacp/project/create', {
      name: 'closed one',
      objective: 'o',
      repos: [{ name: 'backend-api' }],
      visibility: 'members',
    })
    await backend.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Me', content: {} })
    const { projectId: shown } = await backend.rpc('cacp/project/create', {
      name: 'open one',
      objective: 'o',
    })
    const seen = (id: string) => () =>
      frontend.rpc('cacp/project/get', { projectId: id }).then(
        ({ contracts }) => contracts.length,
        () => 'unseen',
      )
    await expect.poll(seen(shown), { timeout: 10_000 }).toBe(0)
    expect(await seen(projectId)()).toBe('unseen')
    await backend.rpc('cacp/project/addRepo', { projectId, name: 'frontend-app' })
    await expect.poll(seen(projectId), { timeout: 10_000 }).toBe(1)
  }, 30_000)
})

describe('a daemon that was registered at one side only', () => {
  test('makes itself known at the other, once', async () => {
    await using backend = await daemon({ open: true })
    await using frontend = await daemon({
      repo: 'frontend-app',
      agentId: 'aid://example.com/frontend@1.0.0',
      open: true,
    })
    await register(backend, {
      agentId: 'aid://example.com/frontend@1.0.0',
      endpoint: frontend.url,
      repoName: 'frontend-app',
    })
    await expect
      .poll(() => peerOf(frontend))
      .toMatchObject({ agentId: 'aid://example.com/backend@1.0.0', endpoint: backend.url, health: 'healthy' })
    await expect.poll(() => peerOf(backend)).toMatchObject({ health: 'healthy' })
  })

  test('leaves it at that where it is known', async () => {
    await using backend = await daemon({ open: true })
    const peers = [{ agentId: 'aid://example.com/backend@1.0.0', endpoint: 'http://10.0.0.1:1' }]
    await using fake = await fakePeer({ results: { 'cacp/peer/list': () => ({ peers }) } })
    await using stranger = await fakePeer({ name: 'stranger' })
    for (const one of [fake, stranger]) await register(backend, one.registration)
    await expect.poll(() => stranger.calls).toContain('cacp/sync/digest')
    await expect.poll(() => fake.calls).toContain('cacp/sync/digest')
    expect(fake.requests).not.toContain('POST /peers/register')
    expect(stranger.requests).toContain('POST /peers/register')
  })
})

describe('a statement that a peer refuses', () => {
  test('is told with its reason, and all others arrive', async () => {
    const sent: string[] = []
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({
      results: telling((kind) => (kind === 'claim' ? REFUSED : TAKEN), sent),
    })
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o', repos: [{ name: 'backend-api' }] })
    await register(backend, fake.registration)
    await expect
      .poll(() => peerOf(backend))
      .toMatchObject({ health: 'healthy', behind: 1, aside: [{ reason: 'claim: no' }] })
    expect(sent.some((text) => JSON.parse(text).kind === 'confirmation')).toBe(true)
  })

  test('stops nothing, however many there are, and is taken when the peer takes it', async () => {
    let isWilling = false
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({
      results: telling((kind) => (kind === 'packet' && !isWilling ? REFUSED : TAKEN)),
    })
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const params = { projectId, type: 'api_spec', content: {} }
    for (let n = 0; n < 15; n++)
      await backend.post(
        Array.from({ length: 40 }, (_, id) => ({
          jsonrpc: '2.0',
          id,
          method: 'cacp/context/share',
          params: { ...params, title: `${n} ${id}` },
        })),
      )
    await register(backend, fake.registration)
    await expect
      .poll(() => peerOf(backend), { timeout: 10_000 })
      .toMatchObject({ health: 'healthy', behind: 600, lastError: null })
    expect((await peerOf(backend)).aside).toHaveLength(100)
    isWilling = true
    await backend.rpc('cacp/peer/sync', {})
    await expect
      .poll(() => peerOf(backend), { timeout: 10_000 })
      .toMatchObject({ health: 'healthy', behind: 0, aside: [] })
  }, 30_000)
})
