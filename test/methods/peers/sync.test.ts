import { describe, expect, test } from 'vitest'
import { docContract, docPacket, docProject, docRepo, docVersion } from '../../domain/doc-objects.ts'
import { BACKEND, FRONTEND, openDesk, openFeature } from '../../support/desk/desk.ts'
import { approve, asPlain, naive, openPlainDesk, PLAIN } from '../../support/plain-peer/plain-desk.ts'

const ofPlain = docRepo({ assigned_agent: PLAIN })

describe('state that a peer which signs nothing hands over', () => {
  test('a whole project of its own arrives as it was sent, and a second time changes nothing [cacp-sync-1]', async () => {
    await using desk = await openDesk()
    await approve(desk, PLAIN)
    const project = docProject({
      repos: [ofPlain, docRepo({ repo_id: 'r2', name: 'backend-api' })],
      contracts: [docContract()],
      context_history: [docPacket()],
    })
    const sent = { project, source_agent: PLAIN }
    expect(await desk.send('cacp/project/sync', sent, asPlain)).toEqual({
      status: 'created',
      projectId: 'p1',
    })
    expect(await desk.call('cacp/project/get', { projectId: 'p1' })).toMatchObject({
      name: 'Auth',
      objective: 'log in',
      repos: [{ name: 'backend-api' }, { name: 'plain-api', assigned_agent: PLAIN }],
      contracts: [{ contract_id: 'c1', content: { path: '/me' }, status: 'proposed' }],
      context_history: [{ packet_id: 'k1', content: { text: 'we use JWT' } }],
    })
    expect(await desk.send('cacp/project/sync', sent, asPlain)).toEqual({
      status: 'skipped',
      reason: 'already known',
      projectId: 'p1',
    })
  })

  test('a project with empty lists erases nothing [cacp-sync-1]', async () => {
    await using at = await openPlainDesk()
    await at.act('cacp/context/share', { type: 'question', content: {} })
    await at.know({ kind: 'project', id: at.projectId })
    const before = await at.desk.call('cacp/project/get', { projectId: at.projectId })
    at.desk.clock.advance(60)
    const empty = { repos: [], contracts: [], context_history: [], updated_at: naive(at.desk.clock.now()) }
    const renamed = { ...before, ...empty, name: 'Renamed' }
    expect(await at.send('cacp/project/sync', { project: renamed, source_agent: PLAIN })).toMatchObject({
      status: 'updated',
    })
    const after = await at.desk.call('cacp/project/get', { projectId: at.projectId })
    expect(after.name).toBe('Renamed')
    expect({ ...after, name: '', updated_at: '' }).toEqual({ ...before, name: '', updated_at: '' })
  })

  test('one bad part of a project costs only itself', async () => {
    await using desk = await openDesk()
    const contracts = [docContract({ contract_id: '../x' }), docContract({ name: 'Good' }), 7]
    const project = docProject({ repos: [ofPlain], contracts })
    expect(await desk.send('cacp/project/sync', { project }, asPlain)).toMatchObject({
      status: 'created',
      refused: [
        { kind: 'contract', id: '../x', reason: expect.stringContaining('contract.contract_id') },
        { kind: 'contract', id: null },
      ],
    })
    const got = await desk.call('cacp/project/get', { projectId: 'p1' })
    expect(got.contracts.map((one) => one.name)).toEqual(['Good'])
  })

  test('of two versions the higher wins, of one version the newer [cacp-sync-2] [cacp-merge-1] [cacp-merge-2]', async () => {
    await using at = await openPlainDesk()
    const [first] = [at.held()]
    const { desk, projectId, plainRepo } = at
    const version = (content: object, timestamp: string) => ({
      ...first,
      version: 2,
      content,
      proposed_by: plainRepo,
      updated_at: timestamp,
      history: [{ ...docVersion(1), content: first.content, proposed_by: first.proposed_by, timestamp }],
    })
    const now = () => naive(desk.clock.now())
    const contentNow = () => at.contract().head.content
    const before = version({ text: 'two, older' }, now())
    desk.clock.advance(1)
    await at.act('cacp/contract/update', { content: { text: 'two' } })
    await at.show(before)
    expect(contentNow()).toEqual({ text: 'two' })
    desk.clock.advance(1)
    expect(await at.show(version({ text: 'two, newer' }, now()))).toMatchObject({
      status: 'updated',
      version: 2,
    })
    expect(contentNow()).toEqual({ text: 'two, newer' })
    await at.show({ ...first, updated_at: now() })
    expect(contentNow()).toEqual({ text: 'two, newer' })
    const got = await desk.call('cacp/contract/get', {
      projectId,
      contractId: at.contractId,
      includeHistory: true,
    })
    expect(got.history?.map((one) => one.content)).toEqual([
      { v: 1 },
      { text: 'two, older' },
      { text: 'two' },
    ])
    expect(got.conflicts.map((one) => one.content)).toContainEqual({ text: 'two' })
  })

  test('a packet is taken once, with or without a zone in its time [cacp-sync-3]', async () => {
    await using at = await openPlainDesk()
    const timestamp = naive(at.desk.clock.now())
    const packet = docPacket({ from_repo: at.plainRepo, timestamp, type: 'question' })
    expect(await at.send('cacp/context/sync', { packet })).toEqual({ status: 'created', packetId: 'k1' })
    const zoned = { ...packet, timestamp: `${timestamp}Z` }
    expect(await at.send('cacp/context/sync', { packet: zoned })).toMatchObject({ status: 'skipped' })
    expect((await at.desk.call('cacp/context/list', { projectId: at.projectId })).packets).toMatchObject([
      { packet_id: 'k1', timestamp: `${timestamp}Z`, from_agent: PLAIN },
    ])
  })

  test('a repo with its claim is taken, but a claim cannot be stolen [cacp-sync-4]', async () => {
    await using desk = await openDesk()
    const { projectId, backend } = await openFeature(desk)
    const repoNamed = async (name: string) =>
      (await backend('cacp/project/get', { projectId })).repos.find((repo) => repo.name === name)
    const frontendRepo = await repoNamed('frontend-app')
    const send = (repo: object) => desk.send('cacp/repo/sync', { projectId, repo }, asPlain)
    const claims = [{ agent_id: PLAIN, claimed_at: '1970-01-01T00:00:00Z', released_at: null }]
    await send({ ...frontendRepo, agent_id: PLAIN, assigned_agent: PLAIN, claims })
    expect(await repoNamed('frontend-app')).toMatchObject({ agent_id: FRONTEND, assigned_agent: FRONTEND })

    const mobile = docRepo({ repo_id: 'mobile-1', name: 'mobile-app', assigned_agent: PLAIN, role: 'mobile' })
    expect(await send(mobile)).toMatchObject({ status: 'created' })
    expect(await repoNamed('mobile-app')).toMatchObject({ assigned_agent: PLAIN, role: 'mobile' })
    expect(await send(mobile)).toMatchObject({ status: 'skipped' })
  })

  test('what is refused is answered as a result with a reason [cacp-sync-5]', async () => {
    await using at = await openPlainDesk()
    const { desk, projectId } = at
    const send = (params: object) => desk.send('cacp/contract/sync', params, asPlain)
    expect(await send({ projectId: 'nowhere', contract: {} })).toEqual({
      status: 'error',
      reason: 'No project nowhere here',
      kind: 'unknown_project',
      retryable: true,
    })
    expect(await send({ projectId, contract: { contract_id: 'c' } })).toMatchObject({
      status: 'error',
      kind: 'invalid_params',
      retryable: false,
    })
    expect(await send({ contract: {} })).toMatchObject({
      status: 'error',
      reason: 'Invalid params: projectId required',
    })
  })

  test('a part that is named twice in one message is taken once', async () => {
    await using desk = await openDesk()
    const project = docProject({ repos: [ofPlain], contracts: [docContract(), docContract()] })
    await desk.send('cacp/project/sync', { project }, asPlain)
    expect((await desk.call('cacp/project/get', { projectId: 'p1' })).contracts).toHaveLength(1)
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
