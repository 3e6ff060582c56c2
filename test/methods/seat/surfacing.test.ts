import { describe, expect, test } from 'vitest'
import { REPLICATION_RULES } from '../../../src/engine/replicate/rules.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'

const GUEST = { 'x-agent-id': 'aid://example.com/frontend@1.0.0' }
const RULES = { ...REPLICATION_RULES, receiptEveryMillis: 0 }

/** Two agents on one daemon, which hold a repo each. */
async function openFeature(at: TestDaemon) {
  const { projectId } = await at.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
  })
  await at.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, GUEST)
  const proposal = { projectId, type: 'custom', name: 'Me', content: { v: 1 } }
  const { contractId } = await at.rpc('cacp/contract/propose', proposal)
  const { packetId } = await at.rpc('cacp/context/askQuestion', { projectId, question: 'which?' })
  const contractState = async () =>
    (await at.rpc('cacp/contract/get', { projectId, contractId })).delivery[0].state
  const packetState = async () =>
    (await at.rpc('cacp/context/list', { projectId })).delivery[packetId][0].state
  return { projectId, contractId, packetId, contractState, packetState }
}

const seqIn = (cursor: string): number => Number(cursor.split('.').at(-1))

type Ids = Pick<Awaited<ReturnType<typeof openFeature>>, 'projectId' | 'contractId' | 'packetId'>
type Look = [method: string, params: (ids: Ids) => object]

describe('what an agent is shown is seen:', () => {
  test.each<Look>([
    ['cacp/contract/get', ({ projectId, contractId }) => ({ projectId, contractId })],
    ['cacp/project/get', ({ projectId }) => ({ projectId })],
    ['cacp/inbox/list', () => ({})],
    ['cacp/brief', () => ({})],
    ['cacp/feed/read', () => ({})],
    [
      'cacp/wait',
      ({ projectId, contractId }) => ({ until: { contract: { projectId, contractId, versionAbove: 0 } } }),
    ],
  ])('a contract by %s', async (method, params) => {
    await using at = await daemon({ open: true }, { rules: RULES })
    const { contractState, ...ids } = await openFeature(at)
    expect(await contractState()).toBe('replicated')
    await at.rpc(method, params(ids), GUEST)
    await expect.poll(contractState).toBe('seen')
  })

  test.each<Look>([
    ['cacp/context/list', ({ projectId }) => ({ projectId })],
    ['cacp/context/getThread', ({ projectId, packetId }) => ({ projectId, packetId })],
    ['cacp/inbox/list', () => ({})],
    ['cacp/feed/read', () => ({})],
  ])('a question by %s', async (method, params) => {
    await using at = await daemon({ open: true }, { rules: RULES })
    const { packetState, ...ids } = await openFeature(at)
    expect(await packetState()).toBe('replicated')
    await at.rpc(method, params(ids), GUEST)
    await expect.poll(packetState).toBe('seen')
  })

  test('what is left out of a project is not', async () => {
    await using at = await daemon({ open: true }, { rules: RULES })
    const { projectId, contractState, packetState } = await openFeature(at)
    await at.rpc('cacp/project/get', { projectId, parts: ['context_history'] }, GUEST)
    await expect.poll(packetState).toBe('seen')
    expect(await contractState()).toBe('replicated')
  })

  test('not by a list of names, not by whoever wrote it, and once only', async () => {
    await using at = await daemon({ open: true }, { rules: RULES })
    const { projectId, contractId, contractState } = await openFeature(at)
    await at.rpc('cacp/contract/list', { projectId }, GUEST)
    await at.rpc('cacp/contract/get', { projectId, contractId })
    expect(await contractState()).toBe('replicated')
    const seq = async () => seqIn((await at.rpc('cacp/feed/read', { kinds: ['receipt'] })).cursor)
    const before = await seq()
    await at.rpc('cacp/contract/get', { projectId, contractId }, GUEST)
    await expect.poll(contractState).toBe('seen')
    expect(await seq()).toBe(before + 1)
    for (let reads = 0; reads < 5; reads++)
      await at.rpc('cacp/contract/get', { projectId, contractId }, GUEST)
    await at.rpc('cacp/context/share', { projectId, type: 'decision', content: {} })
    expect(await seq()).toBe(before + 2)
  })
})
