import { describe, expect, test } from 'vitest'
import { REPLICATION_RULES } from '../../src/engine/replicate/rules.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'

const RULES = { ...REPLICATION_RULES, saveEveryMillis: 20, receiptEveryMillis: 50 }
const SOON = { timeout: 20_000, interval: 50 }
const NAMES = ['a', 'b', 'c'] as const

const member = (name: string): Promise<TestDaemon> =>
  daemon(
    { repo: `${name}-app`, agentId: `aid://example.com/${name}@1.0.0`, open: true, peerRetrySeconds: [0] },
    { rules: RULES },
  )

/** A contract that a proposed to the others, which hold their repos; b knows both, a and c only b. */
async function propose(a: TestDaemon, others: readonly TestDaemon[]) {
  const { projectId } = await a.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: NAMES.slice(0, others.length + 1).map((name) => ({ name: `${name}-app` })),
  })
  for (const other of others)
    await expect
      .poll(() => other.rpc('cacp/project/join', { projectId }).catch(() => null), SOON)
      .toMatchObject({ status: 'joined' })
  const claimed = async () =>
    (await a.rpc('cacp/project/get', { projectId })).repos.filter(
      (one: { agent_id: unknown }) => one.agent_id,
    )
  await expect.poll(claimed, SOON).toHaveLength(others.length + 1)
  const proposal = { projectId, type: 'custom', name: 'Me', content: { v: 1 } }
  const { contractId } = await a.rpc('cacp/contract/propose', proposal)
  return { projectId, contractId }
}

/** How much has changed there. */
const cursorOf = async (at: TestDaemon): Promise<string> =>
  (await at.rpc('cacp/feed/read', { kinds: ['receipt'] })).cursor

async function deliveryAt(at: TestDaemon, ids: object) {
  const { delivery } = await at.rpc('cacp/contract/get', ids)
  return Object.fromEntries(delivery.map((one: { repo: string }) => [one.repo, one]))
}

describe('how far a contract has come', () => {
  test('is told along a line of daemons: seen by the last one, and shown at the first', async () => {
    await using a = await member('a')
    await using b = await member('b')
    await using c = await member('c')
    await a.rpc('cacp/peer/add', { url: b.url })
    await b.rpc('cacp/peer/add', { url: c.url })
    const ids = await propose(a, [b, c])
    await expect
      .poll(() => c.rpc('cacp/contract/list', { projectId: ids.projectId }), SOON)
      .toMatchObject({
        contracts: [{ contractId: ids.contractId }],
      })
    await expect
      .poll(() => deliveryAt(a, ids), SOON)
      .toMatchObject({ 'b-app': { state: 'replicated' }, 'c-app': { state: 'stored' } })
    expect((await deliveryAt(a, ids))['c-app'].replicated_at).toBeUndefined()

    await c.rpc('cacp/contract/get', ids)
    await expect.poll(async () => (await deliveryAt(a, ids))['c-app'].state, SOON).toBe('seen')
    const { 'b-app': atB, 'c-app': atC } = await deliveryAt(a, ids)
    expect(atB.replicated_at > atB.stored_at).toBe(true)
    expect(atC.seen_at > atC.stored_at).toBe(true)

    // The same at c after a restart, and nothing more is told however often it is read.
    await c.restart()
    const before = await cursorOf(c)
    for (let reads = 0; reads < 3; reads++) await c.rpc('cacp/contract/get', ids)
    const { 'c-app': itself } = await deliveryAt(c, ids)
    expect(itself).toMatchObject({ state: 'seen', seen_at: atC.seen_at })
    expect(await cursorOf(c)).toBe(before)
  }, 60_000)

  test('is replicated only when the peer said that it has it, and told to nobody but local agents', async () => {
    await using a = await member('a')
    await using b = await member('b')
    await a.rpc('cacp/peer/add', { url: b.url })
    const ids = await propose(a, [b])
    await expect.poll(async () => (await deliveryAt(a, ids))['b-app'].state, SOON).toBe('replicated')
    const { packetId } = await a.rpc('cacp/context/askQuestion', { projectId: ids.projectId, question: '?' })
    const packetAtB = async () =>
      (await a.rpc('cacp/context/list', { projectId: ids.projectId })).delivery[packetId][0]
    await expect.poll(packetAtB, SOON).toMatchObject({ repo: 'b-app', state: 'replicated' })
    await b.rpc('cacp/context/list', { projectId: ids.projectId })
    await expect.poll(packetAtB, SOON).toMatchObject({ state: 'seen' })

    const asPeer = { authorization: '', 'x-agent-id': 'aid://example.com/b@1.0.0' }
    expect(await a.rpc('cacp/contract/get', ids, asPeer)).not.toHaveProperty('delivery')
    expect(await a.rpc('cacp/context/list', { projectId: ids.projectId }, asPeer)).not.toHaveProperty(
      'delivery',
    )
  }, 60_000)
})
