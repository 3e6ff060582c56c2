import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config.ts'
import { startDaemon } from '../../src/daemon.ts'
import { REPLICATION_RULES, type ReplicationRules } from '../../src/engine/replicate/rules.ts'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { folderWith } from '../support/folder.ts'
import type { PlainProject } from '../support/plain-peer-models.ts'
import { type ServedPlainPeer, servePlainPeer } from '../support/plain-peer-server.ts'

const PLAIN = 'aid://example.com/plain@1.0.0'
const NAIVE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/
const LOOK_MILLIS = 150
const RULES: ReplicationRules = {
  ...REPLICATION_RULES,
  breaker: { retryMillis: [0, 20, 50], openAfterFailures: 5, openMillis: 100, jitter: 0 },
  repairEveryMillis: LOOK_MILLIS,
  asideEveryMillis: LOOK_MILLIS,
  saveEveryMillis: 20,
}
const REPOS = [
  { name: 'backend-api', role: 'backend', language: 'python' },
  { name: 'plain-api', role: 'backend', language: 'python' },
]
const SLOW = { timeout: 20_000 }

const start = (flags: object = {}, rules: ReplicationRules = RULES) =>
  daemon({ open: true, ...flags }, { rules })
const connect = (from: TestDaemon, to: { url: string }) => from.rpc('cacp/peer/add', { url: to.url })

/** What the plain peer holds of a project. */
const held = ({ peer }: ServedPlainPeer, projectId: string): PlainProject | undefined =>
  peer.snapshot().find((project) => project.project_id === projectId)

const heldContract = (plain: ServedPlainPeer, projectId: string, contractId: string) =>
  held(plain, projectId)?.contracts.find((one) => one.contract_id === contractId)

const projectAt = (at: TestDaemon, projectId: string) =>
  at.rpc('cacp/project/get', { projectId }).catch(() => undefined)

const contractAt = (at: TestDaemon, projectId: string, contractId: string) =>
  at.rpc('cacp/contract/get', { projectId, contractId, includeHistory: true }).catch(() => undefined)

/** A project of both repos, each claimed, at both. */
async function openFeature(here: TestDaemon, plain: ServedPlainPeer): Promise<string> {
  const { projectId } = await here.rpc('cacp/project/create', {
    name: 'Auth',
    objective: 'login',
    repos: REPOS,
  })
  await expect.poll(() => held(plain, projectId)).toBeDefined()
  await plain.peer.call('cacp/project/join', { projectId, repoName: 'plain-api' })
  return projectId
}

/** A daemon whose folder outlives it. */
async function startIn(folder: string, rules: ReplicationRules = RULES) {
  const agentId = 'aid://example.com/backend@1.0.0'
  const flags = { repo: 'backend-api', agentId, port: 0, data: join(folder, '.cacp'), open: true }
  const config = await loadConfig({ flags, env: {}, cwd: folder })
  const running = await startDaemon(config, { log: pino({ level: 'silent' }), rules })
  const key = (await readFile(join(folder, '.cacp', 'operator.key'), 'utf8')).trim()
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
  return {
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    rpc: async (method: string, params: object): Promise<any> => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const reply = await request(running.url, { method: 'POST', headers, body })
      return ((await reply.body.json()) as { result: unknown }).result
    },
    stop: () => running[Symbol.asyncDispose](),
  }
}

const propose = async (here: TestDaemon, projectId: string, name = 'Me', content: object = { v: 1 }) => {
  const { contractId } = await here.rpc('cacp/contract/propose', { projectId, type: 'custom', name, content })
  return contractId as string
}

/** Waits until the peer was asked nothing but whether something is new for a while; returns what it was asked. */
async function quiet(plain: ServedPlainPeer, millis = 4 * LOOK_MILLIS): Promise<string[]> {
  let count: number
  do {
    count = syncs(plain).length
    await new Promise((resolve) => setTimeout(resolve, millis))
  } while (syncs(plain).length > count)
  return syncs(plain)
}

const syncs = ({ requests }: ServedPlainPeer): string[] =>
  requests.map(({ body }) => (body as { method: string }).method).filter((method) => method.endsWith('/sync'))

describe('a project', () => {
  test('created here arrives there, with its parts, once', async () => {
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

  test('a claim made there is seen here, and one made here there', async () => {
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

  test('kept among its members goes only where its repo is named', async () => {
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
    await expect.poll(() => held(plain, projectId)?.contracts).toHaveLength(1)
  })
})

describe('a contract', () => {
  test('is negotiated, implemented and verified across', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    const there = (method: string, params: object = {}) =>
      plain.peer.call(`cacp/${method}`, { projectId, contractId, ...params })
    const us = (method: string, params: object = {}) =>
      here.rpc(`cacp/${method}`, { projectId, contractId, ...params })
    const both = async (expected: object) => {
      await expect.poll(() => contractAt(here, projectId, contractId)).toMatchObject(expected)
      await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject(expected)
    }
    await both({ status: 'proposed' })
    await there('contract/respond', { action: 'request_change' })
    await both({ status: 'negotiating' })
    await us('contract/update', { content: { v: 2 }, changeNotes: 'two' })
    await both({ status: 'proposed', version: 2, content: { v: 2 } })
    await there('contract/update', { content: { v: 3 }, changeNotes: 'three' })
    await both({
      status: 'proposed',
      version: 3,
      content: { v: 3 },
      history: [{ version: 1 }, { version: 2 }],
    })
    expect((await contractAt(here, projectId, contractId)).head.change_notes).toBe('three')
    await us('contract/respond', { action: 'agree' })
    await both({ status: 'agreed', version: 3 })
    await there('contract/respond', { action: 'reject' })
    await both({ status: 'negotiating' })
    await there('contract/respond', { action: 'agree' })
    await both({ status: 'agreed' })
    await us('implementation/start', { plan: 'p', estimatedFiles: ['a.ts'] })
    await there('implementation/start', { plan: 'q', estimatedFiles: ['b.py'] })
    await us('implementation/complete', { files: ['a.ts'], notes: 'n' })
    await both({ status: 'agreed' })
    await there('implementation/complete', { files: ['b.py'], testEndpoint: 'http://t' })
    await both({ status: 'implemented' })
    await there('implementation/verify', { result: 'failure' })
    await both({
      status: 'agreed',
      implementations: [{ status: 'needs_revision' }, { status: 'needs_revision' }],
    })
    for (const act of [us, there]) {
      await act('implementation/start')
      await act('implementation/complete', { files: ['again'] })
    }
    await both({ status: 'implemented' })
    await there('implementation/verify', { result: 'success' })
    await both({ status: 'verified' })
    const { responses, verifications } = await contractAt(here, projectId, contractId)
    expect(responses.map((one: { agent_id: string; action: string }) => [one.agent_id, one.action])).toEqual([
      [PLAIN, 'request_change'],
      ['aid://example.com/backend@1.0.0', 'agree'],
      [PLAIN, 'reject'],
      [PLAIN, 'agree'],
    ])
    expect(verifications.map((one: { result: string }) => one.result)).toEqual(['failure', 'success'])
    const count = (await quiet(plain)).length
    expect((await quiet(plain)).length).toBe(count)
  })

  test('an older version with a newer time does not win here, and is mended there', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const old = heldContract(plain, projectId, contractId)
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ version: 2 })
    const late = { ...old, content: { v: 0 }, updated_at: '2099-01-01T00:00:00.000000' }
    expect(
      await plain.peer.call('cacp/contract/sync', { projectId, contract: late, source_agent: 'x' }),
    ).toMatchObject({ status: 'updated', version: 1 })
    await expect
      .poll(() => heldContract(plain, projectId, contractId))
      .toMatchObject({ version: 2, content: { v: 2 } })
    expect(await contractAt(here, projectId, contractId)).toMatchObject({ version: 2, content: { v: 2 } })
    const asIts = { 'x-agent-id': PLAIN, authorization: '' }
    await here.rpc(
      'cacp/contract/sync',
      {
        projectId,
        contract: { ...old, updated_at: new Date().toISOString().slice(0, -1) },
        source_agent: PLAIN,
      },
      asIts,
    )
    expect(await contractAt(here, projectId, contractId)).toMatchObject({ version: 2, content: { v: 2 } })
  })

  test('shown again with other times changes nothing', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toMatchObject({ version: 2 })
    await quiet(plain)
    const before = await contractAt(here, projectId, contractId)
    const contract = heldContract(plain, projectId, contractId)
    const stamped = new Date(Date.now() + 5000).toISOString().replace('Z', '000')
    const again = {
      ...contract,
      updated_at: stamped,
      history: contract?.history.map((one) => ({ ...one, timestamp: stamped })),
    }
    const answer = await here.rpc(
      'cacp/contract/sync',
      { projectId, contract: again, source_agent: PLAIN },
      { 'x-agent-id': PLAIN, authorization: '' },
    )
    expect(answer).toMatchObject({ status: 'skipped' })
    expect(await contractAt(here, projectId, contractId)).toEqual(before)
  })

  test('of two concurrent versions the loser is kept on both sides', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await quiet(plain)
    await plain.stop()
    await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 'ours' } })
    await plain.peer.call('cacp/contract/update', { projectId, contractId, content: { v: 'theirs' } })
    await plain.start()
    await expect
      .poll(async () => (await contractAt(here, projectId, contractId)).conflicts, SLOW)
      .toHaveLength(1)
    await quiet(plain)
    const { content, conflicts, history } = await contractAt(here, projectId, contractId)
    expect(new Set([content.v, conflicts[0].content.v])).toEqual(new Set(['ours', 'theirs']))
    expect(heldContract(plain, projectId, contractId)).toMatchObject({ content, version: 2 })
    expect(heldContract(plain, projectId, contractId)?.history.map((one) => one.content)).toEqual(
      history.map((one: { content: object }) => one.content),
    )
  })
})

describe('what a plain peer sends by itself', () => {
  test('a part of an unknown project is refused in the result, a zoned time is not', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const contract = heldContract(plain, projectId, contractId)
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

describe('a plain peer that goes away', () => {
  test('gets the 500 changes it slept through, and we get what it did meanwhile', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    await quiet(plain)
    await plain.stop()
    const contracts: string[] = []
    for (let index = 0; index < 100; index++) {
      const contractId = await propose(here, projectId, `C${index}`)
      contracts.push(contractId)
      await here.rpc('cacp/contract/update', { projectId, contractId, content: { v: 2 } })
      for (const question of ['a', 'b', 'c'])
        await here.rpc('cacp/context/askQuestion', { projectId, question })
    }
    const { contractId: theirs } = await plain.peer.call('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Theirs',
      content: {},
    })
    await plain.peer.call('cacp/context/share', { projectId, type: 'test_case', content: { n: 1 } })
    await plain.start()
    await expect.poll(() => held(plain, projectId)?.context_history.length, SLOW).toBe(301)
    await expect.poll(() => held(plain, projectId)?.contracts.length, SLOW).toBe(101)
    await quiet(plain)
    expect(new Set(held(plain, projectId)?.contracts.map((one) => one.version))).toEqual(new Set([1, 2]))
    expect(await contractAt(here, projectId, theirs)).toMatchObject({ name: 'Theirs', status: 'proposed' })
    expect((await projectAt(here, projectId)).context_history).toHaveLength(301)
    expect(syncs(plain).filter((method) => method === 'cacp/project/sync')).toHaveLength(1)
  })

  test('is registered with again after its restart, also when nothing failed', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    plain.peer.restart()
    await expect
      .poll(async () => ((await plain.peer.handleHttp('GET', '/peers')).body as { peers: object[] }).peers)
      .toMatchObject([{ agentId: 'aid://example.com/backend@1.0.0', isHealthy: true }])
    await plain.peer.call('cacp/context/share', { projectId, type: 'test_case', content: {} })
    expect((await projectAt(here, projectId)).context_history).toHaveLength(1)
  })

  test('gets back what it lost, and loses nothing that we do not know', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await here.rpc('cacp/context/askQuestion', { projectId, question: '?' })
    await expect.poll(() => held(plain, projectId)?.context_history).toHaveLength(1)
    const project = held(plain, projectId)
    const emptied = {
      ...project,
      contracts: [],
      context_history: [],
      updated_at: '2099-01-01T00:00:00.000000',
    }
    await plain.peer.call('cacp/project/sync', { project: emptied })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await expect.poll(() => held(plain, projectId)?.context_history).toHaveLength(1)
    expect((await projectAt(here, projectId)).contracts).toHaveLength(1)
  })

  test('what it would not take is set aside, blocks nobody and is tried again', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const { peer } = plain
    const answer = peer.handleRpc.bind(peer)
    peer.handleRpc = async (body, headers) =>
      JSON.stringify(body).includes('poison')
        ? { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'I cannot' } }
        : answer(body, headers)
    const poison = await propose(here, projectId, 'poison')
    const good = await propose(here, projectId, 'good')
    await expect.poll(() => heldContract(plain, projectId, good)).toBeDefined()
    const aside = async () => (await here.rpc('cacp/peer/list')).peers[0].aside
    await expect.poll(aside).toMatchObject([{ key: `contract ${projectId} ${poison}`, reason: 'I cannot' }])
    peer.handleRpc = answer
    await expect.poll(() => heldContract(plain, projectId, poison)).toBeDefined()
    await expect.poll(aside).toEqual([])
  })

  test('a project that it lost comes back whole', async () => {
    await using plain = await servePlainPeer()
    await using here = await start()
    await connect(here, plain)
    const projectId = await openFeature(here, plain)
    const contractId = await propose(here, projectId)
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    await quiet(plain)
    await plain.stop()
    await using wiped = await servePlainPeer()
    await here.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ agentId: PLAIN, endpoint: wiped.url, repoName: 'plain-api' }),
    })
    await expect
      .poll(() => heldContract(wiped, projectId, contractId), SLOW)
      .toMatchObject({ status: 'proposed' })
    expect(held(wiped, projectId)?.repos[1]).toMatchObject({ assigned_agent: PLAIN })
  })
})

describe('our own restart', () => {
  test('is survived: it speaks to us again, what it did is taken, and nothing is sent twice', async () => {
    await using plain = await servePlainPeer()
    await using folder = await folderWith()
    const first = await startIn(folder.path)
    await first.rpc('cacp/peer/add', { url: plain.url })
    const { projectId } = await first.rpc('cacp/project/create', { name: 'A', objective: 'o', repos: REPOS })
    await expect.poll(() => held(plain, projectId)).toBeDefined()
    await plain.peer.call('cacp/project/join', { projectId, repoName: 'plain-api' })
    const { contractId } = await first.rpc('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'C',
      content: {},
    })
    await expect.poll(() => heldContract(plain, projectId, contractId)).toBeDefined()
    const before = await quiet(plain)
    await first.stop()
    const share = () => plain.peer.call('cacp/context/share', { projectId, type: 'test_case', content: {} })
    for (let failures = 0; failures < 4; failures++) await share()
    await plain.peer.call('cacp/contract/respond', { projectId, contractId, action: 'agree' })

    // So rarely looked at that only its own calls can tell.
    const again = await startIn(folder.path, { ...RULES, repairEveryMillis: 60_000 })
    const packets = async () => (await again.rpc('cacp/context/list', { projectId })).packets.length
    await expect.poll(packets).toBe(4)
    expect(await again.rpc('cacp/contract/get', { projectId, contractId })).toMatchObject({
      status: 'agreed',
    })
    await share()
    expect(await packets()).toBe(5)
    expect(await quiet(plain)).toEqual(before)
    await again.stop()
  })
})

describe('two daemons and a plain peer', () => {
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
    await expect.poll(() => contractAt(frontend, projectId, contractId)).toMatchObject({ status: 'agreed' })
    const at = { projectId, contractId }
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
