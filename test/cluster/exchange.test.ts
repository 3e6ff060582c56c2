import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { fakePeer } from '../support/fake-peer.ts'

const register = (at: TestDaemon, body: object) =>
  at.fetch('/peers/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const peerOf = async (at: TestDaemon) => (await at.fetch('/peers')).json.peers[0]

describe('the marks in what is sent to a peer', () => {
  test('go on from the last one it noted, also after changes that it may not see', async () => {
    const marks: { after: number; seq: number }[] = []
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({
      results: {
        'cacp/sync/mark': (mark) => {
          marks.push(mark)
          return { status: 'noted' }
        },
      },
    })
    await register(backend, fake.registration)
    const create = (more: object) =>
      backend.rpc('cacp/project/create', {
        name: 'n',
        objective: 'o',
        repos: [{ name: 'backend-api' }],
        ...more,
      })
    await create({})
    await expect.poll(() => marks).toHaveLength(1)
    await create({ visibility: 'members' })
    await expect.poll(() => peerOf(backend)).toMatchObject({ health: 'healthy', behind: 0 })
    await create({})
    await expect.poll(() => marks).toHaveLength(2)
    expect(marks[1]?.after).toBe(marks[0]?.seq)
  })
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

describe('an entity that a peer fails at', () => {
  test.each(['internal', 'forbidden'])('with %s is put aside, and the others arrive', async (kind) => {
    const marks: unknown[] = []
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({
      results: {
        'cacp/repo/sync': () => ({ status: 'error', kind, reason: 'no' }),
        'cacp/sync/mark': (mark) => {
          marks.push(mark)
          return { status: 'noted' }
        },
      },
    })
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o', repos: [{ name: 'backend-api' }] })
    await register(backend, fake.registration)
    await expect
      .poll(() => peerOf(backend))
      .toMatchObject({ health: 'healthy', behind: 1, aside: [{ reason: 'no' }] })
    expect(marks).toHaveLength(1)
  })
})

describe('a peer that refuses nearly everything', () => {
  test('keeps its place after five hundred, and a list shows a hundred of them', async () => {
    let isWilling = false
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer({
      results: {
        'cacp/context/sync': () =>
          isWilling ? { status: 'created' } : { status: 'error', kind: 'invalid_params', reason: 'no' },
      },
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
      .toMatchObject({ lastError: 'It would not take 500 entities; the last: no' })
    expect((await peerOf(backend)).aside).toHaveLength(100)
    isWilling = true
    await backend.rpc('cacp/peer/sync', {})
    await expect
      .poll(() => peerOf(backend), { timeout: 10_000 })
      .toMatchObject({ health: 'healthy', behind: 0, aside: [] })
  }, 30_000)
})
