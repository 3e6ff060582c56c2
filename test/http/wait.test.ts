import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client.ts'
import type { Peer } from '../../src/domain/model.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { openDesk, openFeature } from '../support/desk/desk.ts'

const NEVER = { until: { inbox: {} }, timeoutSeconds: 600 }

test('a wait whose caller has gone makes room at once', async () => {
  await using home = await daemon({ waitsAtOnce: 1 })
  await using client = await connect({ url: home.url, key: home.key })
  const leaving = new AbortController()
  const left = client.call('cacp/wait', NEVER, { signal: leaving.signal }).catch(() => 'left')
  const refused = () =>
    home.rpc('cacp/wait', { ...NEVER, timeoutSeconds: 1 }).catch((error) => error.data?.kind)
  await expect.poll(refused, { timeout: 10_000 }).toBe('busy')
  leaving.abort()
  expect(await left).toBe('left')
  await expect.poll(refused, { timeout: 10_000 }).toMatchObject({ met: false, timedOut: true })
}, 30_000)

test('a daemon that stops answers everybody who waits, at once', async () => {
  const home = await daemon({ shutdownSeconds: 60 })
  await using client = await connect({ url: home.url, key: home.key })
  const asked = client.batch([
    { method: 'cacp/wait', params: NEVER },
    { method: 'cacp/wait', params: NEVER },
  ])
  // It is in flight when a call behind it has been answered.
  await client.health()
  await home[Symbol.asyncDispose]()
  const answered = { met: false, timedOut: true, stopping: true, cursor: expect.any(String) }
  expect(await asked).toEqual([
    { status: 'fulfilled', value: answered },
    { status: 'fulfilled', value: answered },
  ])
}, 30_000)

describe('a peer', () => {
  const agentId = 'aid://example.com/other@1.0.0'
  const caller = { kind: 'peer' as const, agentId, repoName: 'other', credential: 'c0ffee00' }
  const peer: Peer = {
    agent_id: agentId,
    endpoint: 'http://127.0.0.1:9',
    repo_name: 'other',
    trust: 'approved',
    registered_at: '2026-11-16T09:00:00.000000Z',
    last_seen: '2026-11-16T09:00:00.000000Z',
  } as Peer

  test('that is revoked while it waits is not told any more', async () => {
    await using desk = await openDesk()
    const put = (value: Peer) =>
      desk.store.commit(() => ({ result: undefined, local: [{ table: 'peer', id: agentId, value }] }))
    await put(peer)
    const { projectId, backend } = await openFeature(desk)
    const until = { project: { projectId, status: 'implementing' } }
    const told = desk.send('cacp/wait', { until }, { caller }).catch((error: unknown) => error)
    await put({ ...peer, trust: 'revoked' })
    await backend('cacp/contract/propose', { projectId, type: 'custom', name: 'C', content: {} })
    expect(await told).toMatchObject({ kind: 'unauthorized' })
  })
})
