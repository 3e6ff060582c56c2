import { describe, expect, test } from 'vitest'
import { servePlainPeer } from '../support/plain-peer/server.ts'
import {
  connect,
  contractAt,
  held,
  heldContract,
  LOOK_MILLIS,
  NAIVE,
  openFeature,
  PLAIN,
  projectAt,
  propose,
  quiet,
  REPOS,
  SLOW,
  start,
  syncs,
} from './plain-story.ts'

describe('a project', () => {
  test('created here arrives there, with its parts, once (CACP-11)', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    const { projectId } = await here.rpc('cacp/project/create', {
      name: 'Auth',
      objective: 'login',
      repos: REPOS,
    })
    const contractId = await propose(here, projectId)
    await here.rpc('cacp/context/askQuestion', { projectId, question: '?' })
    await connect(here, plain)
    await expect
      .poll(() => held(plain, projectId))
      .toMatchObject({
        name: 'Auth',
        repos: [
          { name: 'backend-api', assigned_agent: 'aid://example.com/backend@1.0.0' },
          { name: 'plain-api' },
        ],
        contracts: [
          { contract_id: contractId, status: 'proposed', created_at: expect.stringMatching(NAIVE) },
        ],
        context_history: [{ type: 'question', timestamp: expect.stringMatching(NAIVE) }],
      })
    expect(await quiet(plain)).toEqual(['cacp/project/sync'])
    expect(plain.requests.every(({ body }) => !Array.isArray(body))).toBe(true)
    expect(plain.requests.at(-1)?.headers['x-agent-id']).toBe('aid://example.com/backend@1.0.0')
    const { params } = plain.requests
      .map(({ body }) => body as { method: string; params: object })
      .find(({ method }) => method === 'cacp/project/sync') as { params: object }
    expect(params).toMatchObject({ source_agent: 'aid://example.com/backend@1.0.0' })
  })

  test('created there arrives here, before and after we met', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    const create = () =>
      plain.peer.call('cacp/project/create', { name: 'Theirs', objective: 'o', repos: REPOS })
    const before = await create()
    const { contractId } = await plain.peer.call('cacp/contract/propose', {
      projectId: before.projectId,
      type: 'custom',
      name: 'C',
      content: { v: 1 },
    })
    await connect(here, plain)
    await expect
      .poll(() => contractAt(here, before.projectId, contractId))
      .toMatchObject({ version: 1, status: 'proposed' })
    const after = await create()
    expect(await projectAt(here, after.projectId)).toMatchObject({
      name: 'Theirs',
      repos: [
        { name: 'backend-api' },
        { name: 'plain-api', assigned_agent: PLAIN, agent_endpoint: plain.url },
      ],
    })
    expect(await quiet(plain)).toEqual([])
  })

  test('a claim made there is seen here, and one made here there (CACP-13)', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    expect((await projectAt(here, projectId)).repos[1]).toMatchObject({
      assigned_agent: PLAIN,
      agent_endpoint: plain.url,
    })
    const { projectId: theirs } = await plain.peer.call('cacp/project/create', {
      name: 'Theirs',
      objective: 'o',
      repos: REPOS,
    })
    await here.rpc('cacp/project/join', { projectId: theirs, repoName: 'backend-api' })
    await expect
      .poll(() => held(plain, theirs)?.repos[0])
      .toMatchObject({ assigned_agent: 'aid://example.com/backend@1.0.0', agent_endpoint: here.url })
  })

  test('kept among its members never goes to a peer that would hand it on to everybody', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const secret = { name: 'Secret', objective: 'o', visibility: 'members', repos: [{ name: 'backend-api' }] }
    const { projectId } = await here.rpc('cacp/project/create', secret)
    await propose(here, projectId)
    await here.rpc('cacp/project/create', { name: 'Open', objective: 'o' })
    await quiet(plain)
    expect(plain.peer.snapshot().map(({ name }) => name)).toEqual(['Open'])
    await here.rpc('cacp/project/addRepo', { projectId, name: 'plain-api' })
    await quiet(plain)
    expect(held(plain, projectId)).toBeUndefined()
  })
})

describe('what a plain peer sends by itself', () => {
  test('a part of an unknown project is refused in the result, a zoned time is not (CACP-23, CACP-24)', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const contract = heldContract(plain, projectId, contractId)
    // What is sent in its name is not what it holds: it must not be asked meanwhile.
    await plain.stop()
    const send = (params: object) =>
      here.post(
        { jsonrpc: '2.0', id: 1, method: 'cacp/contract/sync', params: { ...params, source_agent: PLAIN } },
        { 'x-agent-id': PLAIN, authorization: '' },
      )
    const unknown = await send({ projectId: 'nowhere', contract })
    expect(unknown).toMatchObject({
      status: 200,
      json: { result: { status: 'error', kind: 'unknown_project' } },
    })
    const zoned = { ...contract, status: 'agreed', updated_at: new Date().toISOString() }
    expect((await send({ projectId, contract: zoned })).json).toMatchObject({ result: { status: 'updated' } })
    expect(await contractAt(here, projectId, contractId)).toMatchObject({ status: 'agreed' })
  })

  test.each([
    ['a stamp in the year 9999', { updated_at: '9999-01-01T00:00:00', status: 'agreed' }],
    ['a version of 2^53', { version: 2 ** 53 }],
    ['a version that skips some', { version: 9, content: {} }],
    ['a version as text', { version: '9' }],
  ])('%s is refused, and a normal update afterwards wins', async (_, bad) => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const contract = { ...heldContract(plain, projectId, contractId), ...bad }
    const asIts = { 'x-agent-id': PLAIN, authorization: '' }
    const answer = here.rpc('cacp/contract/sync', { projectId, contract, source_agent: PLAIN }, asIts)
    await expect(answer.catch(() => ({ status: 'error' }))).resolves.toMatchObject({ status: 'error' })
    await plain.peer.call('cacp/contract/update', { projectId, contractId, content: { v: 'good' } })
    await expect
      .poll(() => contractAt(here, projectId, contractId))
      .toMatchObject({ version: 2, content: { v: 'good' } })
  })
})

describe('two daemons and a plain peer', () => {
  test('work in a project that the plain peer founded, and fall silent', async () => {
    await using plain = await servePlainPeer()
    await using backend = await start()
    await using frontend = await start({ repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
    await connect(backend, frontend)
    await connect(backend, plain)
    await connect(frontend, plain)
    const repos = [...REPOS, { name: 'frontend-app', role: 'frontend', language: 'typescript' }]
    const { projectId } = await plain.peer.call('cacp/project/create', { name: 'P', objective: 'o', repos })
    for (const daemon of [backend, frontend]) {
      await expect.poll(() => projectAt(daemon, projectId)).toBeDefined()
      await daemon.rpc('cacp/project/join', { projectId })
    }
    const holders = () => held(plain, projectId)?.repos.map(({ assigned_agent }) => assigned_agent)
    await expect
      .poll(holders)
      .toEqual(['aid://example.com/backend@1.0.0', PLAIN, 'aid://example.com/frontend@1.0.0'])
    await quiet(plain)
    const proposal = { projectId, type: 'custom', name: 'C', content: { v: 1 } }
    const { contractId } = await plain.peer.call('cacp/contract/propose', proposal)
    const at = { projectId, contractId }
    for (const daemon of [backend, frontend]) {
      await expect.poll(() => contractAt(daemon, projectId, contractId)).toBeDefined()
      await daemon.rpc('cacp/contract/respond', { ...at, action: 'agree' })
    }
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ status: 'agreed' })
    for (const act of [backend.rpc, frontend.rpc, plain.peer.call.bind(plain.peer)]) {
      await expect.poll(() => contractAt(frontend, projectId, contractId)).toMatchObject({ status: 'agreed' })
      await act('cacp/implementation/start', at)
      await act('cacp/implementation/complete', { ...at, files: ['x'] })
    }
    const implemented = { status: 'implemented' }
    for (const daemon of [backend, frontend])
      await expect.poll(() => contractAt(daemon, projectId, contractId), SLOW).toMatchObject(implemented)
    await expect.poll(() => heldContract(plain, projectId, contractId), SLOW).toMatchObject(implemented)

    const settled = await quiet(plain)
    const [here, there] = [await projectAt(backend, projectId), await projectAt(frontend, projectId)]
    expect(there).toEqual(here)
    expect(here).toMatchObject({ created_by: PLAIN, reported_by: expect.stringMatching(/^aid:/) })
    // Its repos keep the ids that it gave them, and none is there twice.
    expect(held(plain, projectId)?.repos).toHaveLength(3)
    const known = new Set(held(plain, projectId)?.repos.map(({ repo_id }) => repo_id))
    const named = heldContract(plain, projectId, contractId)?.implementations.map(({ repo_id }) => repo_id)
    expect(named?.filter((repoId) => !known.has(repoId))).toEqual([])
    expect(await quiet(plain)).toEqual(settled)
  })

  test('end up equal and fall silent', async () => {
    await using plain = await servePlainPeer()
    await using backend = await start()
    await using frontend = await start({ repo: 'frontend-app', agentId: 'aid://example.com/frontend@1.0.0' })
    await connect(backend, frontend)
    await connect(backend, plain)
    await connect(frontend, plain)
    const repos = [...REPOS, { name: 'frontend-app', role: 'frontend', language: 'typescript' }]
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Auth', objective: 'o', repos })
    await expect.poll(() => projectAt(frontend, projectId)).toBeDefined()
    await expect.poll(() => held(plain, projectId)).toBeDefined()
    await frontend.rpc('cacp/project/join', { projectId })
    await plain.peer.call('cacp/project/join', { projectId, repoName: 'plain-api' })
    const contractId = await propose(backend, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await plain.peer.call('cacp/contract/respond', { projectId, contractId, action: 'agree' })
    const at = { projectId, contractId }
    // It agrees for itself alone.
    await expect
      .poll(() => contractAt(frontend, projectId, contractId))
      .toMatchObject({ status: 'proposed', responses: [{ action: 'agree', agent_id: PLAIN }] })
    await frontend.rpc('cacp/contract/respond', { ...at, action: 'agree' })
    await expect.poll(() => contractAt(backend, projectId, contractId)).toMatchObject({ status: 'agreed' })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ status: 'agreed' })
    const acts = [backend, frontend].map((one) => (method: string, params: object) => one.rpc(method, params))
    for (const act of [...acts, (method: string, params: object) => plain.peer.call(method, params)]) {
      await act('cacp/implementation/start', { ...at, plan: 'p' })
      await act('cacp/implementation/complete', { ...at, files: ['x'] })
    }
    const verified = { status: 'implemented' }
    await expect.poll(() => contractAt(backend, projectId, contractId), SLOW).toMatchObject(verified)
    await expect.poll(() => contractAt(frontend, projectId, contractId), SLOW).toMatchObject(verified)
    await expect.poll(() => heldContract(plain, projectId, contractId), SLOW).toMatchObject(verified)
    await quiet(plain)
    await frontend.rpc('cacp/implementation/verify', { ...at, result: 'success' })
    await expect.poll(() => contractAt(backend, projectId, contractId)).toMatchObject({ status: 'verified' })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ status: 'verified' })

    const settled = await quiet(plain)
    expect(await projectAt(backend, projectId)).toEqual(await projectAt(frontend, projectId))
    const total = plain.requests.length
    const looks = 6
    await new Promise((resolve) => setTimeout(resolve, looks * LOOK_MILLIS))
    expect(syncs(plain)).toEqual(settled)
    // Each look of each daemon is one list and one get.
    expect(plain.requests.length - total).toBeLessThanOrEqual(2 * 2 * (looks + 2) * 2)
  })
})
