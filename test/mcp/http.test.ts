import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { agentAt, ERAS } from '../support/daemons/mcp.ts'

const MIB = 1024 * 1024
const JSON_TYPE = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

let backend: TestDaemon
beforeAll(async () => {
  backend = await daemon()
})
afterAll(() => backend[Symbol.asyncDispose]())

const idIn = (text: string): string => /^\w+ (\S+)/.exec(text)?.[1] ?? ''

describe.each(ERAS)('a client of %s at /mcp', (era) => {
  test('creates a project, proposes a contract and finds both again', async () => {
    await using agent = await agentAt(backend, era)
    const repos = ['backend-api', 'frontend-app']
    const projectId = idIn(
      await agent.use('project', { action: 'create', name: 'Login', objective: 'o', repos }),
    )
    const proposal = { projectId, type: 'api_endpoint', name: 'Session', content: { path: '/session' } }
    const contractId = idIn(await agent.use('contract_propose', proposal))
    expect(await agent.use('project')).toContain(`project ${projectId} «Login»`)
    const shown = await agent.use('project', { projectId })
    expect(shown).toContain(`contract ${contractId} «Session» v1 proposed, by «backend-api»`)
    expect(shown).toContain('repo «frontend-app» («shared»): nobody joined yet')
    expect(await agent.use('project', { projectId, contractId })).toMatch(/\n\{"path":"\/session"\}$/)
    const stored = await backend.rpc('cacp/contract/get', { projectId, contractId })
    expect(stored).toMatchObject({ name: 'Session', content: { path: '/session' }, status: 'proposed' })
  })

  test('is told by a refusal which call works instead, and makes it as it is told', async () => {
    await using agent = await agentAt(backend, era)
    const repos = ['backend-api', 'frontend-app']
    const projectId = idIn(
      await agent.use('project', { action: 'create', name: 'Advice', objective: 'o', repos }),
    )
    const proposal = { projectId, type: 'custom', name: 'Session', content: { path: '/session' } }
    const contractId = idIn(await agent.use('contract_propose', proposal))
    const refused = await agent.fail('contract_respond', { projectId, contractId, action: 'agree' })
    const [, tool = '', input = '{}'] =
      /\nas a call: (\w+) (\{.*\}), with your own content$/.exec(refused) ?? expect.fail(refused)
    expect(tool).toBe('contract_update')
    const content = { path: '/sessions' }
    expect(await agent.use(tool, { ...JSON.parse(input), content })).toContain(contractId)
  })

  test('asks, answers and decides in one conversation', async () => {
    await using agent = await agentAt(backend, era)
    const projectId = idIn(await agent.use('project', { action: 'create', name: 'Talk', objective: 'o' }))
    const share = (input: object) => agent.use('context_share', { projectId, ...input })
    const packetId = idIn(await share({ type: 'question', content: { question: 'JWT or cookies?' } }))
    await share({ type: 'dependency_info', content: { text: 'JWT is there already' }, replyTo: packetId })
    const told = await agent.use('project', { projectId, packetId })
    expect(told.split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^question ${packetId} of «backend-api» at .*JWT or cookies`)),
      expect.stringMatching(
        new RegExp(`^dependency_info .* in reply to ${packetId}: .*JWT is there already`),
      ),
    ])
    expect(await agent.fail('context_share', { projectId, type: 'question', content: {} })).toMatch(
      /question required/,
    )
  })

  test('is briefed, finds what is there by its words, and sees what waits for it', async () => {
    await using agent = await agentAt(backend, era)
    const name = `Invoices of ${era}`
    const projectId = idIn(await agent.use('project', { action: 'create', name, objective: 'o' }))
    const content = { path: '/invoices', note: `monthly for ${era}` }
    const proposal = { projectId, type: 'custom', name: 'Invoice list', content }
    const contractId = idIn(await agent.use('contract_propose', proposal))
    const found = await agent.use('search', { query: 'monthyl invoice', projectId, kind: 'contract' })
    expect(found).toMatch(/^1 of 1 found/)
    expect(found).toContain(`contract ${contractId} in project ${projectId} «Invoice list»`)
    expect(await agent.use('search', { query: 'zeppelin', projectId })).toMatch(/^Nothing found/)

    // It is the only party, so it may agree to what it proposed, and has to implement it.
    await agent.use('contract_respond', { projectId, contractId, action: 'agree' })
    const inbox = await agent.use('inbox', { projectId })
    expect(inbox).toMatch(/^1 to do/)
    const next = `next: implementation {"projectId":"${projectId}","contractId":"${contractId}","action":"start"}`
    expect(inbox).toContain(next)
    const itemId = /id: (\S+)/.exec(inbox)?.[1]
    await agent.use('call', { method: 'cacp/inbox/ack', params: { itemId } })
    expect(await agent.use('inbox', { projectId })).toMatch(/^Nothing waits for you\.\ncursor: /)

    const brief = await agent.use('brief', { projectId })
    const [cursor] = /\S+$/.exec(brief) ?? []
    expect(await agent.use('brief', { projectId, since: cursor })).toContain(`cursor: ${cursor}`)
    expect(await agent.fail('brief', { since: 'yesterday' })).toMatch(/since.*\nnext: /)
    expect(await agent.fail('brief', { since: 'another-store.7' })).toMatch(/\nnext: .*\ncursor: \S+\.\d+$/)
  })

  test('lists and reads resources, and gets prompts', async () => {
    await using agent = await agentAt(backend, era)
    const projectId = idIn(await agent.use('project', { action: 'create', name: 'Read me', objective: 'o' }))
    const proposal = { projectId, type: 'custom', name: 'Readable', content: { answer: 42 } }
    const contractId = idIn(await agent.use('contract_propose', proposal))
    const { resources } = await agent.client.listResources()
    const uri = `cacp://contract/${projectId}/${contractId}`
    expect(resources).toContainEqual(expect.objectContaining({ uri, title: 'Readable v1 proposed' }))
    expect(resources).toContainEqual(
      expect.objectContaining({ uri: `cacp://project/${projectId}`, title: 'Read me' }),
    )
    const { resourceTemplates } = await agent.client.listResourceTemplates()
    expect(resourceTemplates.map((one) => one.uriTemplate)).toEqual([
      'cacp://project/{projectId}',
      'cacp://contract/{projectId}/{contractId}',
    ])
    const read = async (of: string) => {
      const [contents] = (await agent.client.readResource({ uri: of })).contents
      return JSON.parse(contents !== undefined && 'text' in contents ? contents.text : '')
    }
    expect(await read(uri)).toMatchObject({ contract_id: contractId, content: { answer: 42 } })
    expect(await read(`cacp://project/${projectId}`)).toMatchObject({
      name: 'Read me',
      contracts: [{ contractId }],
    })
    await expect(read('cacp://project/nothing')).rejects.toThrow(/No project nothing here\nnext: /)
    await expect(read('file:///etc/passwd')).rejects.toThrow(/not found/i)

    const { prompts } = await agent.client.listPrompts()
    expect(prompts.map(({ name }) => name)).toEqual([
      'review_contract',
      'start_feature',
      'verify_contract',
      'may_i_merge',
    ])
    const review = await agent.client.getPrompt({
      name: 'review_contract',
      arguments: { projectId, contractId },
    })
    expect(JSON.stringify(review.messages)).toMatch(/contract_respond.*version 1.*\{\\\\?"answer/)
    const start = await agent.client.getPrompt({ name: 'start_feature', arguments: { feature: 'dark mode' } })
    expect(JSON.stringify(start.messages)).toContain('dark mode')
  })

  test('is told to bring a key, and a key that is not valid is refused', async () => {
    await expect(agentAt(backend, era, { authorization: '' })).rejects.toThrow()
    await expect(agentAt(backend, era, { authorization: 'Bearer cacp_op_wrong' })).rejects.toThrow()
  })
})

describe('the door at /mcp', () => {
  const post = (body: string | Buffer, headers: Record<string, string> = {}) =>
    backend.fetch('/mcp', { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body })
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })

  test.each([
    ['without a key', { authorization: '' }, 401, 'unauthorized'],
    ['with a wrong key', { authorization: 'Bearer cacp_op_wrong' }, 401, 'unauthorized'],
    ['by another name', { host: 'evil.example' }, 403, 'forbidden'],
    ['from a page of another origin', { origin: 'https://evil.example' }, 403, 'forbidden'],
    ['in another media type', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ])('refuses a call %s, and says what to do', async (_how, headers, status, kind) => {
    const reply = await post(list, headers as Record<string, string>)
    const error = reply.json.error.data ?? reply.json.error
    expect({ status: reply.status, kind: error.kind }).toEqual({ status, kind })
    expect(error.next).toMatch(/\w/)
  })

  test.each([
    ['no JSON', '{"jsonrpc":', 400],
    ['nothing', '', 400],
    ['a list', `[${list}]`, 400],
    ['text', '"tools/list"', 400],
    ['bytes that are no text', Buffer.from([0xff, 0xfe, 0]), 400],
    ['half a surrogate pair', '{"jsonrpc":"2.0","id":1,"method":"\\ud800"}', 400],
    ['too much', `"${'x'.repeat(2 * MIB)}"`, 413],
  ])('answers %s with an error in JSON', async (_what, body, status) => {
    const reply = await post(body)
    expect(reply.status).toBe(status)
    expect(reply.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: expect.any(Number) } })
    expect(reply.text).not.toMatch(/node_modules|\.ts:|\.js:|<html/)
  })

  test.each([
    ['no method', { id: 1 }],
    ['a method that nobody has', { id: 1, method: 'tools/destroy' }],
    ['a call without params', { id: 1, method: 'tools/call' }],
    [
      'arguments that are a list',
      { id: 1, method: 'tools/call', params: { name: 'project', arguments: [] } },
    ],
    ['an id that is none', { id: { a: 1 }, method: 'tools/list' }],
    ['a prototype as a tool', { id: 1, method: 'tools/call', params: { name: '__proto__' } }],
    [
      'a tool called constructor',
      { id: 1, method: 'tools/call', params: { name: 'constructor', arguments: {} } },
    ],
    [
      'a version from the future',
      {
        id: 1,
        method: 'tools/list',
        params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2999-01-01' } },
      },
    ],
  ])('answers %s without a failure of its own', async (_what, message) => {
    const reply = await post(JSON.stringify({ jsonrpc: '2.0', ...message }))
    expect(reply.status).toBeLessThan(500)
    expect(reply.text).toMatch(/"error"|"isError":true/)
    expect(reply.text).not.toMatch(/node_modules|\.ts:|\.js:/)
  })

  test.each([
    ['2025-11-25', 200, {}],
    [
      '2026-07-28',
      404,
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    ],
  ])('says to a client of %s that nobody can listen here', async (era, status, meta) => {
    const params = { notifications: { toolsListChanged: true }, ...meta }
    const reply = await post(
      JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'subscriptions/listen', params }),
      { 'mcp-protocol-version': era, 'mcp-method': 'subscriptions/listen' },
    )
    expect(reply.status).toBe(status)
    expect(reply.text).toContain('"code":-32601')
    expect(reply.text).toContain('"id":7')
    expect(reply.text).toMatch(/Method not found/)
  })

  test('tells the official client so, which then goes on', async () => {
    await using agent = await agentAt(backend, '2026-07-28')
    await expect(agent.client.listen({ toolsListChanged: true })).rejects.toThrow(
      /-32601.*subscriptions\/listen is not supported/,
    )
    expect((await agent.client.listTools()).tools).toHaveLength(12)
  })

  test('has nothing to read without being asked, and no sessions to end', async () => {
    const got = await backend.fetch('/mcp')
    expect({ status: got.status, allow: got.headers['allow'] }).toEqual({ status: 405, allow: 'POST' })
  })

  test('lets a page in whose origin is allowed', async () => {
    await using open = await daemon({ allowedOrigins: ['http://localhost:5173'] })
    const headers = { ...JSON_TYPE, origin: 'http://localhost:5173' }
    const reply = await open.fetch('/mcp', { method: 'POST', headers, body: list })
    expect(reply.status).toBe(200)
    expect(reply.headers['access-control-allow-origin']).toBe('http://localhost:5173')
  })

  test('notes in the audit trail what its tools change and what is refused, but no reads', async () => {
    await using noted = await daemon()
    await using agent = await agentAt(noted, '2026-07-28')
    await agent.use('project')
    const projectId = idIn(await agent.use('project', { action: 'create', name: 'n', objective: 'o' }))
    await noted.fetch('/mcp', { method: 'POST', headers: { ...JSON_TYPE, authorization: '' }, body: list })
    const { lines } = await noted.rpc('cacp/audit/list', {})
    expect(lines).toEqual([
      expect.objectContaining({ what: 'POST /mcp', outcome: 'refused', fault: 'unauthorized' }),
      expect.objectContaining({
        what: 'cacp/project/create',
        outcome: 'allowed',
        projectId,
        from: '127.0.0.1',
      }),
    ])
  })

  test('lets a project token as far as it says', async () => {
    const create = (name: string) => backend.rpc('cacp/project/create', { name, objective: 'o' })
    const [{ projectId }, other] = [await create('mine'), await create('other')]
    const { token } = await backend.rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
    await using agent = await agentAt(backend, '2025-11-25', { authorization: `Bearer ${token}` })
    expect(await agent.use('project', { projectId })).toContain('«mine»')
    expect(await agent.fail('project', { projectId: other.projectId })).toMatch(/This token is for project/)
    const proposal = { projectId, type: 'custom', name: 'n', content: {} }
    expect(await agent.fail('contract_propose', proposal)).toMatch(/does not allow contract:propose/)
  })
})
