import { describe, expect, test } from 'vitest'
import { REPLICATION_RULES } from '../../src/engine/replicate/rules.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { fakePeer } from '../support/network/fake-peer.ts'

const RULES = {
  ...REPLICATION_RULES,
  saveEveryMillis: 20,
  breaker: { ...REPLICATION_RULES.breaker, retryMillis: [0], openAfterFailures: 2 },
}
const SOON = { timeout: 20_000, interval: 50 }

const NAMED = { name: 'Auth', objective: 'login', repos: [{ name: 'backend-api' }, { name: 'fake-app' }] }
const CONTRACT = { type: 'custom', name: 'Me', content: { v: 1 } }

describe('the outbox', () => {
  test('says when a peer was seen last, also before it was reached again since the start', async () => {
    await using here = await daemon({ open: true }, { rules: RULES })
    const gone = await fakePeer()
    await here.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(gone.registration),
    })
    const { projectId } = await here.rpc('cacp/project/create', NAMED)
    await expect.poll(() => here.rpc('cacp/outbox/list'), SOON).toMatchObject({ items: [] })
    await gone[Symbol.asyncDispose]()
    await here.restart()
    await here.rpc('cacp/contract/propose', { projectId, ...CONTRACT })
    const { peers } = await here.rpc('cacp/peer/list')
    const outbox = await here.rpc('cacp/outbox/list')
    expect(outbox.peers).toMatchObject([{ lastSeen: peers[0].lastSeen }])
    expect(peers[0].lastSeen).not.toBeNull()
  }, 60_000)

  test('lists what a peer that is down has not got, since when and why, until it is back', async () => {
    await using here = await daemon({ open: true }, { rules: RULES })
    const gone = await fakePeer()
    await here.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(gone.registration),
    })
    const { projectId } = await here.rpc('cacp/project/create', NAMED)
    await expect.poll(() => here.rpc('cacp/outbox/list'), SOON).toEqual({ items: [], peers: [], more: false })
    const port = Number(new URL(gone.url).port)
    await gone[Symbol.asyncDispose]()

    const { contractId } = await here.rpc('cacp/contract/propose', { projectId, ...CONTRACT })
    const { updated_at, delivery } = await here.rpc('cacp/contract/get', { projectId, contractId })
    expect(delivery).toMatchObject([{ repo: 'fake-app', state: 'stored' }])
    await expect
      .poll(() => here.rpc('cacp/outbox/list'), SOON)
      .toMatchObject({
        items: [
          {
            agentId: gone.agentId,
            repo: 'fake-app',
            kind: 'contract',
            id: contractId,
            name: 'Me',
            since: updated_at,
            why: expect.stringMatching(/failed.*: .+/),
          },
        ],
        peers: [{ agentId: gone.agentId, behind: 1 }],
        more: false,
      })
    expect(await here.rpc('cacp/peer/list')).toMatchObject({ peers: [{ isHealthy: false, behind: 1 }] })
    expect(await here.rpc('cacp/outbox/list', { to: 'aid://example.com/other@1.0.0' })).toMatchObject({
      items: [],
    })

    await using back = await fakePeer({ port })
    await here.rpc('cacp/peer/sync')
    await expect.poll(() => here.rpc('cacp/outbox/list'), SOON).toMatchObject({ items: [] })
    expect(back.calls).toContain('cacp/sync/statements')
  }, 60_000)

  test('lists all that it may see to a peer that was never reached, and so does the list of peers', async () => {
    await using here = await daemon({ open: true }, { rules: RULES })
    const agentId = 'aid://example.com/never@1.0.0'
    await here.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agentId, endpoint: 'http://127.0.0.1:9', repoName: 'never-app' }),
    })
    await here.rpc('cacp/project/create', { ...NAMED, visibility: 'members' })
    await here.rpc('cacp/project/create', NAMED)
    const { items, peers } = await here.rpc('cacp/outbox/list')
    expect(items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['project', 'repo', 'repo'])
    const { lastSeen } = peers[0]
    expect(peers).toMatchObject([{ agentId, behind: 3 }])
    expect(await here.rpc('cacp/peer/list')).toMatchObject({ peers: [{ agentId, behind: 3, lastSeen }] })
  })

  test('tells for what reason a peer does not take something, also when it is away', async () => {
    const outcomeOf = (text: string) =>
      JSON.parse(text).kind === 'revision'
        ? { status: 'refused', reason: 'it is too long for me', retryable: false }
        : { status: 'taken' }
    const picky = await fakePeer({
      results: { 'cacp/sync/statements': ({ statements }) => ({ outcomes: statements.map(outcomeOf) }) },
    })
    await using here = await daemon({ open: true }, { rules: RULES })
    await here.rpc('cacp/peer/add', { url: picky.url })
    const { projectId } = await here.rpc('cacp/project/create', NAMED)
    const { contractId } = await here.rpc('cacp/contract/propose', { projectId, ...CONTRACT })
    const why = 'revision: it is too long for me'
    const items = [{ kind: 'contract', id: contractId, repo: 'fake-app', why }]
    await expect.poll(() => here.rpc('cacp/outbox/list'), SOON).toMatchObject({ items })
    await expect(here.rpc('cacp/outbox/list', { projectId: 'another' })).rejects.toThrow(
      'No project another here',
    )
    const { delivery } = await here.rpc('cacp/contract/get', { projectId, contractId })
    expect(delivery).toMatchObject([{ repo: 'fake-app', state: 'stored' }])
    await picky[Symbol.asyncDispose]()
    await here.rpc('cacp/peer/sync')
    await expect
      .poll(() => here.rpc('cacp/peer/list'), SOON)
      .toMatchObject({ peers: [{ isHealthy: false, behind: 1 }] })
    expect(await here.rpc('cacp/outbox/list')).toMatchObject({ items })
  }, 60_000)
})
