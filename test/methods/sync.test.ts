import { describe, expect, test } from 'vitest'
import { BACKEND, FRONTEND, openDesk, openFeature } from '../support/desk.ts'

const naive = (stamp: string) => stamp.replace('Z', '')
const PLAIN = 'aid://example.com/plain@1.0.0'
const byPlain = { caller: { agentId: PLAIN } }

describe('state that a peer hands over', () => {
  test('a whole project arrives as it was sent, and a second time changes nothing [cacp-sync-1]', async () => {
    await using there = await openDesk()
    await using here = await openDesk()
    const { projectId, backend, frontend } = await openFeature(there)
    const { contractId } = await backend('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: { v: 1 },
    })
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    await backend('cacp/context/share', { projectId, type: 'test_case', content: { n: 1 } })
    const project = await backend('cacp/project/get', { projectId })

    const sent = { project: JSON.parse(JSON.stringify(project)), source_agent: BACKEND }
    expect(await here.send('cacp/project/sync', sent)).toEqual({ status: 'created', projectId })
    expect(await here.call('cacp/project/get', { projectId })).toEqual(project)
    expect(await here.send('cacp/project/sync', sent)).toEqual({
      status: 'skipped',
      reason: 'already known',
      projectId,
    })
  })

  test('a project with empty lists erases nothing [cacp-sync-1]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    await backend('cacp/contract/propose', { projectId, type: 'custom', name: 'C', content: {} })
    await backend('cacp/context/share', { projectId, type: 'question', content: {} })
    const before = await backend('cacp/project/get', { projectId })
    const { stamps: _, ...plain } = before
    desk.clock.advance(60)
    const renamed = {
      ...plain,
      name: 'Renamed',
      repos: [],
      contracts: [],
      context_history: [],
      updated_at: naive(desk.clock.now()),
    }
    expect(
      await desk.send('cacp/project/sync', { project: renamed, source_agent: PLAIN }, byPlain),
    ).toMatchObject({
      status: 'updated',
    })
    const after = await backend('cacp/project/get', { projectId })
    expect(after.name).toBe('Renamed')
    expect({ ...after, name: '', stamps: null, updated_at: '' }).toEqual({
      ...before,
      name: '',
      stamps: null,
      updated_at: '',
    })
  })

  test('one bad part of a project costs only itself', async () => {
    await using there = await openDesk()
    await using here = await openDesk()
    const { projectId, backend } = await openFeature(there)
    await backend('cacp/contract/propose', { projectId, type: 'custom', name: 'Good', content: {} })
    const project = await backend('cacp/project/get', { projectId })
    const bad = { ...project.contracts[0], contract_id: '../x' }
    const sent = { ...project, contracts: [bad, ...project.contracts, 7] }
    expect(await here.send('cacp/project/sync', { project: sent })).toMatchObject({
      status: 'created',
      refused: [
        { kind: 'contract', id: '../x', reason: expect.stringContaining('contract.contract_id') },
        { kind: 'contract', id: null },
      ],
    })
    expect((await here.call('cacp/project/get', { projectId })).contracts.map((one) => one.name)).toEqual([
      'Good',
    ])
  })

  test('of two versions the higher wins, of one version the newer [cacp-sync-2] [cacp-merge-1] [cacp-merge-2]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const at = (second: number) => `2026-11-16T08:00:${String(second).padStart(2, '0')}.000000`
    const version = (number: number, second: number, text: string) => ({
      version: number,
      content: { text },
      proposed_by: 'r1',
      timestamp: at(second),
      change_notes: null,
    })
    const plain = (number: number, second: number, text: string, history: object[]) => {
      const { timestamp, change_notes: _, ...head } = version(number, second, text)
      const fixed = {
        contract_id: 'c1',
        type: 'custom',
        name: 'C',
        status: 'proposed',
        implementations: [],
        created_at: at(0),
      }
      return { ...fixed, ...head, history, updated_at: timestamp }
    }
    const send = (contract: object) =>
      desk.send('cacp/contract/sync', { projectId, contract, source_agent: PLAIN }, byPlain)
    const contentNow = async () =>
      (await backend('cacp/contract/get', { projectId, contractId: 'c1' })).content['text']

    expect(await send(plain(2, 10, 'two', [version(1, 1, 'one')]))).toEqual({
      status: 'created',
      contractId: 'c1',
      version: 2,
    })
    await send(plain(1, 50, 'older version, newer time', []))
    expect(await contentNow()).toBe('two')
    await send(plain(2, 20, 'two, newer', [version(1, 1, 'one')]))
    expect(await contentNow()).toBe('two, newer')
    await send(plain(2, 15, 'two, between', [version(1, 1, 'one')]))
    expect(await contentNow()).toBe('two, newer')

    const { history = [], conflicts } = await backend('cacp/contract/get', {
      projectId,
      contractId: 'c1',
      includeHistory: true,
    })
    expect(history.map((one) => one.content['text'])).toEqual([
      'one',
      'older version, newer time',
      'two',
      'two, between',
    ])
    expect(conflicts.map((one) => one.content['text'])).toContain('two')
  })

  test('a packet is taken once, with or without a zone in its time [cacp-sync-3]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const packet = {
      packet_id: 'p1',
      from_repo: 'r1',
      from_agent: PLAIN,
      timestamp: '2026-11-16T08:00:00.000001',
      type: 'question',
      content: { question: '?' },
      related_contracts: [],
      reply_to: null,
    }
    expect(await desk.send('cacp/context/sync', { projectId, packet })).toEqual({
      status: 'created',
      packetId: 'p1',
    })
    const zoned = { ...packet, timestamp: `${packet.timestamp}Z` }
    expect(await desk.send('cacp/context/sync', { projectId, packet: zoned })).toMatchObject({
      status: 'skipped',
    })
    expect((await backend('cacp/context/list', { projectId })).packets).toMatchObject([
      { packet_id: 'p1', timestamp: '2026-11-16T08:00:00.000001Z' },
    ])
  })

  test('a repo with its claim is taken, but a claim cannot be stolen [cacp-sync-4]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const { repos } = await backend('cacp/project/get', { projectId })
    const frontendRepo = repos.find((repo) => repo.name === 'frontend-app')
    const thief = {
      repo_id: frontendRepo?.repo_id,
      name: 'frontend-app',
      role: 'frontend',
      language: 'typescript',
      assigned_agent: PLAIN,
      agent_endpoint: 'http://plain:1',
    }
    await desk.send('cacp/repo/sync', { projectId, repo: thief })
    const holder = async () =>
      (await backend('cacp/project/get', { projectId })).repos.find((repo) => repo.name === 'frontend-app')
    expect(await holder()).toMatchObject({ agent_id: FRONTEND, assigned_agent: FRONTEND })
    const backdated = {
      ...frontendRepo,
      claims: [
        {
          agent_id: PLAIN,
          claimed_at: '1970-01-01T00:00:00Z',
          released_at: null,
          agent_endpoint: null,
          endpoint_at: '1970-01-01T00:00:00Z',
        },
      ],
    }
    await desk.send('cacp/repo/sync', { projectId, repo: backdated })
    expect(await holder()).toMatchObject({ agent_id: FRONTEND })

    const mobile = {
      repo_id: 'mobile-1',
      name: 'mobile-app',
      role: 'mobile',
      language: 'kotlin',
      assigned_agent: PLAIN,
    }
    expect(await desk.send('cacp/repo/sync', { projectId, repo: mobile })).toEqual({
      status: 'created',
      repoId: 'mobile-1',
    })
    expect(await desk.send('cacp/repo/sync', { projectId, repo: mobile })).toMatchObject({
      status: 'skipped',
    })
  })

  test('what is refused is answered as a result with a reason [cacp-sync-5]', async () => {
    await using desk = await openDesk()
    const { projectId } = await openFeature(desk)
    expect(await desk.send('cacp/contract/sync', { projectId: 'nowhere', contract: {} })).toEqual({
      status: 'error',
      reason: 'No project nowhere here',
      kind: 'unknown_project',
      retryable: true,
    })
    expect(
      await desk.send('cacp/contract/sync', { projectId, contract: { contract_id: 'c' } }),
    ).toMatchObject({
      status: 'error',
      kind: 'invalid_params',
      retryable: false,
    })
    expect(await desk.send('cacp/contract/sync', { contract: {} })).toMatchObject({
      status: 'error',
      reason: 'Invalid params: projectId required',
    })
  })

  test('a project kept among its members does not exist for other peers', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'Secret',
      objective: '',
      visibility: 'members',
      repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
    })
    const asPeer = (repoName: string) => ({ caller: { kind: 'peer' as const, agentId: PLAIN, repoName } })
    expect(await desk.send('cacp/project/list', {}, asPeer('stranger'))).toEqual({ projects: [] })
    await expect(desk.send('cacp/project/get', { projectId }, asPeer('stranger'))).rejects.toMatchObject({
      kind: 'not_found',
    })
    expect(await desk.send('cacp/context/sync', { projectId, packet: {} }, asPeer('stranger'))).toMatchObject(
      { kind: 'unknown_project' },
    )
    await expect(desk.send('cacp/project/get', { projectId }, asPeer('frontend-app'))).resolves.toMatchObject(
      { name: 'Secret' },
    )
  })

  test('an announcement is answered with who we are', async () => {
    await using desk = await openDesk()
    expect(
      await desk.send('cacp/peer/announce', { agentId: PLAIN, endpoint: 'http://plain:1', repoName: 'x' }),
    ).toEqual({
      status: 'acknowledged',
      myAgentId: BACKEND,
      myRepoName: 'backend-api',
    })
  })
})

test('a part that is named twice in one message keeps what both say', async () => {
  await using there = await openDesk()
  await using here = await openDesk()
  const { projectId, backend, frontend } = await openFeature(there)
  const { contractId } = await backend('cacp/contract/propose', {
    projectId,
    type: 'custom',
    name: 'C',
    content: {},
  })
  const before = await backend('cacp/contract/get', { projectId, contractId, includeHistory: true })
  await frontend('cacp/contract/respond', { projectId, contractId, action: 'reject', comment: 'no' })
  const project = await backend('cacp/project/get', { projectId })
  await here.send('cacp/project/sync', { project: { ...project, contracts: [...project.contracts, before] } })
  expect((await here.call('cacp/contract/get', { projectId, contractId })).responses).toHaveLength(1)
})
