import { describe, expect, test } from 'vitest'
import { BACKEND, type Desk, FRONTEND, openDesk, openFeature } from '../support/desk.ts'

const PLAIN = 'aid://example.com/plain@1.0.0'
const THIRD = 'aid://example.com/third@1.0.0'
const as = (agentId: string, repoName: string) => ({
  caller: { kind: 'peer' as const, agentId, repoName },
})
const asPlain = as(PLAIN, 'plain-api')

/** A contract of this daemon in a project where a plain peer and a third daemon hold repos, all as a plain peer sees it. */
async function setUp(desk: Desk) {
  const { projectId, backend } = await openFeature(desk)
  for (const name of ['plain-api', 'third-api']) await backend('cacp/project/addRepo', { projectId, name })
  await desk.send('cacp/project/join', { projectId }, asPlain)
  await desk.send('cacp/project/join', { projectId }, as(THIRD, 'third-api'))
  const proposal = { projectId, type: 'custom' as const, name: 'C', content: { v: 1 } }
  const { contractId } = await backend('cacp/contract/propose', proposal)
  const project = await backend('cacp/project/get', { projectId })
  const repoId = (name: string) => project.repos.find((repo) => repo.name === name)?.repo_id ?? ''
  const contractNow = () => backend('cacp/contract/get', { projectId, contractId, includeHistory: true })
  const plainContract = async (given: object) => {
    const { head: _, ...contract } = await contractNow()
    desk.clock.advance(1)
    return { ...contract, updated_at: desk.clock.now().slice(0, -1), ...given }
  }
  const sendContract = (contract: object, options: object = asPlain) =>
    desk.send('cacp/contract/sync', { projectId, contract }, options)
  const packet = (name: string, given: object = {}) => ({
    packet_id: `from-${name}`,
    from_repo: repoId(name),
    timestamp: desk.clock.now().slice(0, -1),
    type: 'question',
    content: { question: 'q' },
    ...given,
  })
  const work = (name: string, agent_id: string) => ({
    repo_id: repoId(name),
    agent_id,
    status: 'in_progress',
    plan: `plan of ${name}`,
    started_at: desk.clock.now().slice(0, -1),
  })
  return {
    projectId,
    contractId,
    backend,
    project,
    repoId,
    contractNow,
    plainContract,
    sendContract,
    packet,
    work,
  }
}

describe('whoever hands something over', () => {
  test.each([
    ['cacp/project/sync', { project: {} }],
    ['cacp/contract/sync', { projectId: 'p', contract: {} }],
    ['cacp/context/sync', { projectId: 'p', packet: {} }],
    ['cacp/repo/sync', { projectId: 'p', repo: {} }],
    ['cacp/receipt/sync', { projectId: 'p', receipt: {} }],
  ])('does so in its own name (%s)', async (method, params) => {
    await using desk = await openDesk()
    const sent = { ...params, source_agent: BACKEND }
    expect(await desk.send(method, sent, asPlain)).toMatchObject({
      status: 'error',
      kind: 'forbidden',
      reason: `source_agent: ${PLAIN} cannot send in the name of ${BACKEND}`,
    })
  })

  test('is not heard in a project that it may not see', async () => {
    await using desk = await openDesk()
    const { projectId } = await desk.call('cacp/project/create', {
      name: 'P',
      objective: 'o',
      visibility: 'members',
    })
    const project = await desk.call('cacp/project/get', { projectId })
    const hidden = { status: 'error', kind: 'unknown_project' }
    const [repo] = project.repos
    for (const [method, params] of [
      ['cacp/project/sync', { project: { ...project, name: 'mine' } }],
      ['cacp/repo/sync', { projectId, repo: { ...repo, name: 'plain-api' } }],
      ['cacp/contract/sync', { projectId, contract: {} }],
      ['cacp/context/sync', { projectId, packet: {} }],
      ['cacp/receipt/sync', { projectId, receipt: {} }],
    ] as const)
      expect(await desk.send(method, params, asPlain), method).toMatchObject(hidden)
    expect(await desk.call('cacp/project/get', { projectId })).toEqual(project)
  })

  test('may carry the changes of others if it is a daemon that knows how', async () => {
    await using there = await openDesk()
    await using here = await openDesk()
    const { projectId, backend, frontend } = await openFeature(there)
    const proposal = { projectId, type: 'custom' as const, name: 'C', content: { v: 1 } }
    const { contractId } = await backend('cacp/contract/propose', proposal)
    await frontend('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    const project = await backend('cacp/project/get', { projectId })
    const sent = { project: JSON.parse(JSON.stringify(project)), source_agent: THIRD }
    expect(await here.send('cacp/project/sync', sent, as(THIRD, 'third-api'))).toEqual({
      status: 'created',
      projectId,
    })
    expect((await here.call('cacp/project/get', { projectId })).contracts).toEqual(project.contracts)
  })
})

describe('a peer that knows the document only', () => {
  test('answers, works, shares and proposes for its own repo', async () => {
    await using desk = await openDesk()
    const { projectId, sendContract, plainContract, contractNow, packet, work, repoId } = await setUp(desk)
    expect(await sendContract(await plainContract({ status: 'agreed' }))).toMatchObject({ status: 'updated' })
    const mine = await plainContract({ implementations: [work('plain-api', PLAIN)] })
    expect(await sendContract(mine)).toMatchObject({ status: 'updated' })
    expect(await contractNow()).toMatchObject({
      status: 'agreed',
      responses: [{ action: 'agree', agent_id: PLAIN }],
      implementations: [{ repo_id: repoId('plain-api'), status: 'in_progress' }],
    })
    const shared = { projectId, packet: packet('plain-api', { from_agent: PLAIN }) }
    expect(await desk.send('cacp/context/sync', shared, asPlain)).toMatchObject({ status: 'created' })
    const { history: _, ...rest } = mine
    const own = {
      ...rest,
      contract_id: 'own',
      history: [],
      proposed_by: repoId('plain-api'),
      content: { w: 1 },
    }
    expect(await sendContract({ ...own, implementations: [] })).toMatchObject({ status: 'created' })
  })

  test('changes nothing of another repo, and is told what; its own part of the same object is taken', async () => {
    await using desk = await openDesk()
    const { sendContract, plainContract, contractNow, work, repoId } = await setUp(desk)
    const both = await plainContract({
      status: 'agreed',
      implementations: [work('plain-api', PLAIN), work('third-api', THIRD)],
    })
    expect(await sendContract(both)).toMatchObject({
      status: 'error',
      kind: 'forbidden',
      reason: expect.stringContaining(`the implementation of repo ${repoId('third-api')}`),
    })
    expect(await contractNow()).toMatchObject({
      responses: [{ agent_id: PLAIN }],
      implementations: [{ repo_id: repoId('plain-api') }],
    })
    expect((await contractNow()).implementations).toHaveLength(1)
  })

  test('writes no version in the name of another repo, and none on top of such a one', async () => {
    await using desk = await openDesk()
    const { sendContract, plainContract, contractNow, repoId } = await setUp(desk)
    const now = await contractNow()
    const first = {
      version: 1,
      content: now.content,
      proposed_by: now.proposed_by,
      timestamp: now.created_at,
    }
    const forged = { version: 2, content: { v: 2 }, proposed_by: repoId('third-api') }
    expect(await sendContract(await plainContract({ ...forged, history: [first] }))).toMatchObject({
      kind: 'forbidden',
      reason: expect.stringContaining(`version 2 by repo ${repoId('third-api')}`),
    })
    const onTop = { version: 3, content: { v: 3 }, proposed_by: repoId('plain-api') }
    const history = [first, { ...forged, timestamp: desk.clock.now() }]
    expect(await sendContract(await plainContract({ ...onTop, history }))).toMatchObject({
      kind: 'forbidden',
    })
    expect(await contractNow()).toEqual(now)
    const own = { version: 2, content: { v: 2 }, proposed_by: repoId('plain-api'), history: [first] }
    expect(await sendContract(await plainContract(own))).toMatchObject({ status: 'updated', version: 2 })
  })

  test('proposes no contract and shares no packet for another repo', async () => {
    await using desk = await openDesk()
    const { projectId, sendContract, plainContract, packet } = await setUp(desk)
    expect(await sendContract({ ...(await plainContract({})), contract_id: 'forged' })).toMatchObject({
      status: 'error',
      kind: 'forbidden',
    })
    const project = await desk.call('cacp/project/get', { projectId })
    const { stamps: _, ...plain } = project
    const sent = { ...plain, contracts: [], context_history: [packet('backend-api'), packet('plain-api')] }
    // Known for what it is only by its project: nothing tells a plain packet from another one.
    expect(await desk.send('cacp/project/sync', { project: sent }, asPlain)).toMatchObject({
      status: 'updated',
      refused: [{ kind: 'packet', id: 'from-backend-api' }],
    })
    const { packets } = await desk.call('cacp/context/list', { projectId })
    expect(packets.map((one) => one.packet_id)).toEqual(['from-plain-api'])
  })

  test('claims for itself alone, and describes no repo of others', async () => {
    await using desk = await openDesk()
    const { projectId, backend, project } = await setUp(desk)
    await backend('cacp/project/addRepo', { projectId, name: 'free-api' })
    const repoNow = async (name: string) => {
      const { repos } = await backend('cacp/project/get', { projectId })
      const { claims: _, ...repo } = repos.find((one) => one.name === name) as (typeof repos)[number]
      return repo
    }
    const send = (repo: object) => desk.send('cacp/repo/sync', { projectId, repo }, asPlain)
    const free = await repoNow('free-api')
    expect(await send({ ...free, agent_id: THIRD, assigned_agent: THIRD })).toMatchObject({
      kind: 'forbidden',
      reason: expect.stringContaining(`the claim of ${THIRD}`),
    })
    expect(await repoNow('free-api')).toMatchObject({ assigned_agent: null })
    const taken = await repoNow('backend-api')
    await send({ ...taken, agent_id: PLAIN, assigned_agent: PLAIN })
    expect(await repoNow('backend-api')).toMatchObject({ assigned_agent: BACKEND })
    const described = (await backend('cacp/project/get', { projectId })).repos
    expect(described.find(({ name }) => name === 'frontend-app')).toMatchObject({ assigned_agent: FRONTEND })
    expect(project.repos.length + 1).toBe(described.length)
  })

  test('that is no member has no say in a contract', async () => {
    await using desk = await openDesk()
    const { sendContract, plainContract, contractNow } = await setUp(desk)
    const now = await contractNow()
    const stranger = as('aid://example.com/stranger@1.0.0', 'stranger-api')
    await sendContract(await plainContract({ status: 'agreed' }), stranger)
    expect(await contractNow()).toEqual(now)
  })
})
