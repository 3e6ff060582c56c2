import { describe, expect, test } from 'vitest'
import { BAD_PARAMS, FUTURE, NAIVE, OTHER, openContract, openPeer, PAST, SERVER_ERROR } from './story.ts'

describe('what it takes from peers', () => {
  test('it stamps what it receives with its own naive time, new or known; parts of a project keep theirs', async () => {
    const { on, sync, syncProject } = await openContract()
    const times = { created_at: PAST, updated_at: FUTURE }
    await sync({ version: 2, ...times })
    await sync({ contract_id: 'new', ...times })
    const project = await on('project/get')
    await syncProject({ project_id: 'new', ...times, contracts: [{ ...project.contracts[0], ...times }] })
    const created = await on('project/get', { projectId: 'new' })
    for (const { updated_at } of [...project.contracts, created]) {
      expect(updated_at).toMatch(NAIVE)
      expect(updated_at).toMatch(/^2026-/)
    }
    expect([created.created_at, created.contracts[0].updated_at]).toEqual([PAST, FUTURE])
  })
  test('an older version with a newer time overwrites a newer version', async () => {
    const { on, contract, sync } = await openContract()
    await on('contract/update', { content: { a: 2 } })
    expect(await sync({ version: 1, content: { a: 0 }, updated_at: FUTURE })).toMatchObject({
      status: 'updated',
      version: 1,
    })
    expect(await contract()).toMatchObject({ version: 1, content: { a: 0 } })
  })
  test('a newer version with an older time overwrites too', async () => {
    const { sync } = await openContract()
    expect(await sync({ version: 2, updated_at: PAST })).toMatchObject({ status: 'updated', version: 2 })
  })
  test('a status change from a slow clock is dropped', async () => {
    const { contract, sync } = await openContract()
    expect(await sync({ status: 'agreed', updated_at: PAST })).toMatchObject({ status: 'skipped' })
    expect(await contract()).toMatchObject({ status: 'proposed' })
  })
  test('a sync asks no state machine', async () => {
    const { contract, sync } = await openContract()
    await sync({ status: 'verified', updated_at: FUTURE })
    expect(await contract()).toMatchObject({ status: 'verified' })
  })
  test('an accepted project takes its contracts and context away', async () => {
    const { on, packet, syncProject } = await openContract()
    await packet('p', PAST)
    const empty = { contracts: [], context_history: [] }
    expect(await syncProject({ ...empty, updated_at: FUTURE })).toMatchObject({ status: 'updated' })
    expect(await on('project/get')).toMatchObject(empty)
  })
  test('a project that is not newer is skipped', async () => {
    const { on, syncProject } = await openContract()
    const { updated_at } = await on('project/get')
    expect(await syncProject({ name: 'Q', updated_at })).toMatchObject({ status: 'skipped' })
    expect(await on('project/get')).toMatchObject({ name: 'P' })
  })
  test.each(['2030-01-01T00:00:00Z', '2030-01-01T00:00:00.5+02:00'])(
    'the zoned time %s is -32000 for what it holds',
    async (updated_at) => {
      const { sync, syncProject } = await openContract()
      await expect(sync({ version: 9, updated_at })).rejects.toMatchObject(SERVER_ERROR)
      await expect(syncProject({ updated_at })).rejects.toMatchObject(SERVER_ERROR)
      expect(await sync({ contract_id: 'new', updated_at })).toMatchObject({ status: 'created' })
    },
  )
  test('a zoned packet makes getThread fail for its thread only', async () => {
    const { on, packet } = await openContract()
    await packet('root', PAST)
    await packet('other', PAST)
    await packet('reply', '2030-01-01T00:00:00Z', 'root')
    await expect(on('context/getThread', { packetId: 'root' })).rejects.toMatchObject(SERVER_ERROR)
    expect((await on('context/getThread', { packetId: 'other' })).thread).toHaveLength(1)
    expect((await on('context/list', { contractId: null })).packets).toHaveLength(3)
  })
  test('unknown fields are lost, agent_id among them', async () => {
    const { on, contract, sync } = await openContract()
    await sync({ version: 2, conflicts: [1] })
    expect(await contract()).not.toHaveProperty('conflicts')
    const repo = { repo_id: 'r', name: 'n', role: 'x', language: 'y', agent_id: OTHER.agentId }
    expect(await on('repo/sync', { repo })).toEqual({ status: 'created', repoId: 'r' })
    const { repos } = await on('project/get')
    expect(repos[1]).toEqual({
      repo_id: 'r',
      name: 'n',
      role: 'x',
      language: 'y',
      relevant_paths: [],
      url: null,
      assigned_agent: null,
      agent_endpoint: null,
    })
  })
  test.each([{ status: 'done' }, { type: 'zz' }, { version: 1.5 }, { content: [1] }, { updated_at: 'now' }])(
    '%j is -32602',
    async (changes) => {
      const { sync } = await openContract()
      await expect(sync(changes)).rejects.toMatchObject(BAD_PARAMS)
    },
  )
  test('repo/sync steals a claim', async () => {
    const { on } = await openContract()
    const [repo] = (await on('project/get')).repos
    await on('repo/sync', { repo: { ...repo, assigned_agent: OTHER.agentId } })
    expect((await on('project/get')).repos[0].assigned_agent).toBe(OTHER.agentId)
  })
  test.each(['contract', 'context', 'repo'])('%s/sync to an unknown project is a result', async (kind) => {
    const answer = await openPeer().peer.call(`cacp/${kind}/sync`, { projectId: 'none' })
    expect(answer).toEqual({ status: 'error', reason: expect.any(String) })
  })
  test('a packet id is taken once, and nothing received is passed on', async () => {
    const { packet, register, sent } = await openContract()
    await register()
    sent.length = 0
    expect(await packet('p', PAST)).toEqual({ status: 'created', packetId: 'p' })
    expect(await packet('p', FUTURE)).toMatchObject({ status: 'skipped' })
    expect(sent).toEqual([])
  })
})
