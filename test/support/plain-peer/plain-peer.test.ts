import { describe, expect, test } from 'vitest'
import { servePlainPeer } from './server.ts'
import { NAIVE, OTHER, OWN, openContract, openPeer, SERVER_ERROR } from './story.ts'

describe('its JSON-RPC', () => {
  const ask = (body: unknown) => openPeer().peer.handleHttp('POST', '/', body)

  test.each([
    ['an unreadable body', undefined, -32700, null],
    ['no jsonrpc', { method: 'x', id: 7 }, -32600, 7],
    ['no method', { jsonrpc: '2.0', id: 7 }, -32600, 7],
    ['a method that is a number', { jsonrpc: '2.0', method: 5, id: 7 }, -32601, 7],
    ['params in an array', { jsonrpc: '2.0', method: 'cacp/project/get', params: ['p'], id: 7 }, -32000, 7],
  ])('%s is an error with HTTP 200', async (_name, body, code, id) => {
    expect(await ask(body)).toMatchObject({ status: 200, body: { error: { code }, id } })
  })
  test('a notification gets a response with id null', async () => {
    const { body } = await ask({ jsonrpc: '2.0', method: 'cacp/project/list' })
    expect(body).toEqual({ jsonrpc: '2.0', result: { projects: [] }, id: null })
  })
  test('a missing param is -32000 with the bare key', async () => {
    await expect(openPeer().peer.call('cacp/project/get')).rejects.toMatchObject({
      ...SERVER_ERROR,
      message: 'projectId',
    })
  })
  test.each([[[]], [null], ['text']])('the body %j is a 500', async (body) => {
    await expect(openPeer().peer.handleRpc(body)).rejects.toThrow()
    expect(await ask(body)).toEqual({ status: 500, body: 'Internal Server Error' })
  })
  test('what goes in and out is a copy', async () => {
    const { on, contract } = await openContract()
    const content = { a: 2 }
    await on('contract/update', { content })
    content.a = 3
    ;(await contract()).content.a = 4
    expect((await contract()).content).toEqual({ a: 2 })
  })
})

describe('its peers', () => {
  const broken = () => Promise.reject(new Error('unreachable'))

  test('registration announces before it answers, and the announced-to adds nobody', async () => {
    const { peer, register, sent } = openPeer()
    expect(await register()).toEqual({ status: 200, body: { status: 'registered', peerCount: 1 } })
    expect(sent).toMatchObject([
      {
        endpoint: 'http://other:1',
        body: { method: 'cacp/peer/announce', params: { agentId: OWN, repoName: 'plain-api' } },
        headers: { 'X-Agent-ID': OWN, 'X-Source-Endpoint': 'http://plain:1' },
      },
    ])
    const answer = await openPeer().peer.call('cacp/peer/announce', OTHER)
    expect(answer).toEqual({ status: 'acknowledged', myAgentId: OWN, myRepoName: 'plain-api' })
    expect((await peer.handleHttp('GET', '/peers')).body).toEqual({
      peers: [{ ...OTHER, isHealthy: true, lastSeen: expect.stringMatching(NAIVE) }],
    })
  })
  test('registering itself stores nothing; a malformed body is a 500', async () => {
    const { peer } = openPeer()
    const own = await peer.handleHttp('POST', '/peers/register', { ...OTHER, agentId: OWN })
    expect(own.body).toEqual({ status: 'registered', peerCount: 0 })
    expect(await peer.handleHttp('POST', '/peers/register', {})).toMatchObject({ status: 500 })
  })
  test('each change goes out by its own sync, with source_agent', async () => {
    const { peer, on, projectId, register, sent } = await openContract()
    await register()
    sent.length = 0
    await peer.call('cacp/project/create', { name: 'Q', objective: 'o' })
    await on('project/join', { repoName: 'plain-api' })
    await on('contract/respond', { action: 'agree' })
    await on('context/recordDecision', { decision: 'd', chosen: 'c', rationale: 'r' })
    expect(sent.map(({ body }) => [body.method, ...Object.keys(body.params)])).toEqual([
      ['cacp/project/sync', 'project', 'source_agent'],
      ['cacp/repo/sync', 'projectId', 'repo', 'source_agent'],
      ['cacp/contract/sync', 'projectId', 'contract', 'source_agent'],
      ['cacp/context/sync', 'projectId', 'packet', 'source_agent'],
    ])
    expect(sent[3]?.body).toMatchObject({
      id: expect.stringMatching(/^aid:\/\/example.com\/plain@1.0.0-\d+(\.\d+)?$/),
      params: { projectId, source_agent: OWN },
    })
  })
  test('a write waits for the broadcast', async () => {
    const { on, network, register } = await openContract()
    await register()
    let release = () => {}
    network.reply = () => new Promise((resolve) => (release = () => resolve({ result: {} })))
    let isDone = false
    const write = on('contract/update', { content: {} }).then(() => (isDone = true))
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    release()
    await write
  })
  test.each([
    ['an unreachable peer', broken],
    ['a JSON-RPC error', () => ({ error: { code: -32602 } })],
  ])('%s: three in a row and it is silent until registered again', async (_name, reply) => {
    const { on, network, register, sent } = await openContract()
    await register()
    sent.length = 0
    network.reply = reply
    for (let i = 0; i < 5; i++) await on('contract/update', { content: { i } })
    expect(sent).toHaveLength(3)
    network.reply = () => ({ result: {} })
    await on('contract/update', { content: {} })
    expect(sent).toHaveLength(3)
    await register()
    await on('contract/update', { content: {} })
    expect(sent.slice(3).map(({ body }) => body.method)).toEqual(['cacp/peer/announce', 'cacp/contract/sync'])
  })
  test('a result of status "error" counts as delivered, and is not sent again', async () => {
    const { on, network, register, sent } = await openContract()
    await register()
    sent.length = 0
    const nack = () => ({ result: { status: 'error', reason: 'Project not found' } })
    for (const reply of [broken, broken, nack, broken, broken]) {
      network.reply = reply
      await on('contract/update', { content: {} })
    }
    await on('contract/update', { content: {} })
    expect(sent.map(({ body }) => body.method)).toEqual(Array(6).fill('cacp/contract/sync'))
  })
  test('a restart keeps the state and forgets the peers', async () => {
    const { peer, register } = await openContract()
    await register()
    const before = peer.snapshot()
    peer.restart()
    expect(peer.snapshot()).toEqual(before)
    expect((await peer.handleHttp('GET', '/peers')).body).toEqual({ peers: [] })
  })
})

describe('over HTTP', () => {
  test('the card has the keys of the document and nothing of ours', async () => {
    const { body } = await openPeer().peer.handleHttp('GET', '/.well-known/agent.json')
    const card = body as { extensions: object }
    const keys = ['name', 'description', 'version', 'url', 'protocols', 'capabilities', 'extensions']
    expect(Object.keys(card)).toEqual(keys)
    expect(Object.keys(card.extensions)).toEqual(['cacp'])
    expect(card).toMatchObject({ protocols: { a2a: '0.3', cacp: '2.0' } })
  })
  test('27 methods are listed; those for files are not doubled', async () => {
    const { peer } = openPeer()
    const { methods } = (await peer.handleHttp('GET', '/methods')).body as { methods: string[] }
    expect(methods).toHaveLength(27)
    const codes = await Promise.all(
      methods.map((name) => peer.call(name).catch(({ code }: { code: number }) => code)),
    )
    expect(methods.filter((_, i) => codes[i] === -32601)).toEqual(methods.filter((m) => m.includes('/file/')))
  })
  test('other paths are 404, other verbs 405', async () => {
    const { peer } = openPeer()
    expect(await peer.handleHttp('GET', '/')).toEqual({ status: 405, body: { detail: 'Method Not Allowed' } })
    expect(await peer.handleHttp('GET', '/x')).toEqual({ status: 404, body: { detail: 'Not Found' } })
  })
  test('two served peers meet, lose each other and need a new registration', async () => {
    await using a = await servePlainPeer({ agentId: OWN })
    await using b = await servePlainPeer({ agentId: OTHER.agentId, repoName: OTHER.repoName })
    const register = () =>
      fetch(`${a.url}/peers/register`, {
        method: 'POST',
        body: JSON.stringify({ ...OTHER, endpoint: b.url }),
      })
    await register()
    const create = (name: string) => a.peer.call('cacp/project/create', { name, objective: 'o' })
    await create('first')
    await b.stop()
    for (const name of ['lost', 'lost', 'lost']) await create(name)
    await b.start()
    await create('never sent')
    await register()
    await create('last')
    expect(b.peer.snapshot().map(({ name }) => name)).toEqual(['first', 'last'])
    expect(b.requests[0]?.headers).toMatchObject({ 'x-agent-id': OWN, 'x-source-endpoint': a.url })
    const health = await (await fetch(`${a.url}/health`)).json()
    expect(health).toEqual({ status: 'healthy', agentId: OWN, repo: 'plain-api', peerCount: 1 })
    const batch = await fetch(a.url, { method: 'POST', body: '[]' })
    expect([batch.status, await batch.text()]).toEqual([500, 'Internal Server Error'])
  })
})
