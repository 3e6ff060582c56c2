import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'
import { fakeAgent } from '../support/network/fake-agent.ts'
import { fakePeer } from '../support/network/fake-peer.ts'

const NO_KEY = { authorization: '' }
const PROJECT = { name: 'n', objective: 'o' }
const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

/** Newest first, without what asked for them. */
async function linesAt(at: TestDaemon, params: object = {}) {
  const { lines } = await at.rpc('cacp/audit/list', { limit: 1000, ...params })
  return lines.filter(({ what }: { what: string }) => what !== 'cacp/audit/list')
}

describe('the audit trail of a daemon', () => {
  test('has a line for what the operator changes, with project, address and request', async () => {
    await using backend = await daemon()
    const { projectId } = await backend.rpc('cacp/project/create', PROJECT)
    expect(await linesAt(backend)).toEqual([
      {
        at: expect.stringMatching(/Z$/),
        outcome: 'allowed',
        caller: 'operator',
        agentId: 'aid://example.com/backend@1.0.0',
        from: '127.0.0.1',
        requestId: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-z]+$/),
        what: 'cacp/project/create',
        projectId,
      },
    ])
  })

  test('has none for plain reads, and for public documents', async () => {
    await using backend = await daemon()
    await backend.rpc('cacp/project/list')
    for (const path of ['/health', '/peers', '/.well-known/agent.json']) await backend.fetch(path)
    expect(await linesAt(backend)).toEqual([])
  })

  test('has one for everything that is refused, whoever asks for whatever', async () => {
    await using backend = await daemon()
    await backend.post(call('cacp/project/list'), NO_KEY)
    await backend.post(call('cacp/project/create', PROJECT), { authorization: 'Bearer cacp_op_wrong' })
    await backend.post(call('cacp/project/list'), { host: 'evil.example.com' })
    await backend.post(call('cacp/project/list'), { origin: 'https://evil.example.com' })
    await backend.post(call('cacp/project/list'), { 'content-type': 'text/plain' })
    await backend.fetch('/peers?secret=x', { headers: NO_KEY })
    await backend.fetch('/health', { headers: { host: 'evil.example.com' } })
    const counts: Record<string, number> = {}
    for (const { what, fault, caller, times = 1 } of await linesAt(backend, { refused: true })) {
      const key = `${what}: ${fault} ${caller ?? '-'}`
      counts[key] = (counts[key] ?? 0) + times
    }
    expect(counts).toEqual({
      'cacp/project/list: unauthorized anonymous': 1,
      'POST /: unauthorized -': 1,
      'POST /: forbidden -': 2,
      'POST /: unsupported_media_type -': 1,
      'GET /peers: unauthorized anonymous': 1,
      'GET /health: forbidden -': 1,
    })
  })

  test('names whose key or token it was that somebody was refused with', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { body } = await mobile.pair(url)
    const asAnother = {
      authorization: `Bearer ${body['apiKey']}`,
      'x-agent-id': 'aid://example.com/another@1.0.0',
    }
    await backend.post(call('cacp/project/list'), asAnother)
    const { projectId } = await backend.rpc('cacp/project/create', PROJECT)
    const permissions = ['project:read']
    const { token, tokenId } = await backend.rpc('cacp/token/issue', { projectId, permissions })
    await backend.rpc('cacp/token/revoke', { tokenId })
    await backend.post(call('cacp/project/get', { projectId }), { ...NO_KEY, 'x-project-token': token })
    expect(await linesAt(backend, { refused: true })).toMatchObject([
      { what: 'POST /', fault: 'unauthorized', ids: [tokenId] },
      { what: 'POST /', fault: 'forbidden', ids: [mobile.agentId] },
    ])
  })

  test('has a line for work that is given to others or canceled, with its id and whose it is', async () => {
    await using agent = await fakeAgent({ serve: () => {} })
    await using backend = await daemon({ open: true })
    await backend.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(agent.registration),
    })
    const order = { peer: 'worker', workType: 'build', parameters: { password: 'not for the trail' } }
    const { workId } = (await backend.rpc('cacp/work/send', order)).work
    await backend.rpc('cacp/work/get', { workId })
    await backend.rpc('cacp/work/cancel', { workId })
    const ids = [workId, agent.registration.agentId]
    const lines = (await linesAt(backend)).slice(0, 2)
    expect(lines).toMatchObject([
      { outcome: 'allowed', caller: 'operator', what: 'cacp/work/cancel', ids, from: '127.0.0.1' },
      { outcome: 'allowed', caller: 'operator', what: 'cacp/work/send', ids, from: '127.0.0.1' },
    ])
    expect(JSON.stringify(lines)).not.toContain('not for the trail')
  })

  test('has a line for a peer that hands over a new key, and nothing of the key', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { body } = await mobile.pair(url)
    const apiKey = `cacp_sk_live_${'k'.repeat(43)}`
    const headers = { authorization: `Bearer ${body['apiKey']}`, 'x-agent-id': mobile.agentId }
    await backend.post(call('cacp/peer/takeKey', { apiKey }), headers)
    const [line] = await linesAt(backend)
    expect(line).toMatchObject({
      outcome: 'allowed',
      caller: 'peer',
      agentId: mobile.agentId,
      what: 'cacp/peer/takeKey',
    })
    expect(line.fault).toBeUndefined()
    expect(JSON.stringify(line)).not.toContain('kkkk')
  })

  test('tells an allowed call that failed from one that was refused', async () => {
    await using backend = await daemon()
    await expect(backend.rpc('cacp/project/join', { projectId: 'none', repoName: 'r' })).rejects.toThrow()
    expect(await linesAt(backend)).toMatchObject([
      { outcome: 'allowed', fault: 'not_found', what: 'cacp/project/join', projectId: 'none' },
    ])
    expect(await linesAt(backend, { refused: true })).toEqual([])
  })

  test('gives all calls of a batch the same request', async () => {
    await using backend = await daemon()
    await backend.post([1, 2].map((id) => ({ ...call('cacp/project/create', PROJECT), id })))
    await backend.rpc('cacp/project/create', PROJECT)
    const requests = (await linesAt(backend)).map(({ requestId }: { requestId: string }) => requestId)
    expect(requests).toHaveLength(3)
    expect(requests[1]).toBe(requests[2])
    expect(requests[0]).not.toBe(requests[1])
  })

  test('names whoever registers, although nobody knows whether it is true', async () => {
    await using backend = await daemon()
    const body = { agentId: 'aid://example.com/web@1.0.0', endpoint: 'http://127.0.0.1:9', repoName: 'web' }
    await backend.fetch('/peers/register', {
      method: 'POST',
      headers: { ...NO_KEY, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const [line] = await linesAt(backend)
    expect(line).toMatchObject({ outcome: 'allowed', caller: 'anonymous', what: 'POST /peers/register' })
    expect(line.ids).toEqual([body.agentId])
    expect(line.agentId).toBeUndefined()
  })

  test('says through whom a change came, and nothing of what was known already', async () => {
    await using backend = await daemon({ open: true })
    await using frontend = await daemon({
      open: true,
      repo: 'frontend-app',
      agentId: 'aid://example.com/web@1.0.0',
    })
    await frontend.rpc('cacp/peer/add', { url: backend.url })
    const isInStep = () =>
      expect.poll(async () => (await frontend.fetch('/peers')).json.peers[0].behind).toBe(0)
    const { projectId } = await frontend.rpc('cacp/project/create', PROJECT)
    await isInStep()
    const taken = async () =>
      (await linesAt(backend, { agent: 'aid://example.com/web@1.0.0' })).filter(
        ({ what }: { what: string }) => what === 'cacp/sync/statements',
      )
    await expect
      .poll(taken)
      .toMatchObject([{ outcome: 'allowed', caller: 'peer', from: '127.0.0.1', projectId }])
    await frontend.rpc('cacp/peer/sync')
    await isInStep()
    expect(await taken()).toHaveLength(1)
  })

  test('is for the operator alone', async () => {
    await using backend = await daemon({ open: true })
    const { status } = await backend.post(call('cacp/audit/list'), NO_KEY)
    expect(status).toBe(403)
    expect(await linesAt(backend, { refused: true })).toEqual([])
    const { lines } = await backend.rpc('cacp/audit/list', { refused: true })
    expect(lines).toMatchObject([{ what: 'cacp/audit/list', caller: 'open', fault: 'forbidden' }])
  })

  test.each([
    ['since', 'yesterday'],
    ['since', '2026-99-01'],
    ['agent', ' '],
    ['limit', 0],
    ['limit', 1001],
  ])('refuses %s = %j', async (key, value) => {
    await using backend = await daemon()
    await expect(backend.rpc('cacp/audit/list', { [key]: value })).rejects.toThrow(key)
  })

  test('looks back as far as it is told', async () => {
    await using backend = await daemon()
    await backend.rpc('cacp/project/create', PROJECT)
    expect(await linesAt(backend, { since: '1h' })).toHaveLength(1)
    expect(await linesAt(backend, { since: '2026-01-01T00:00:00Z' })).toHaveLength(1)
    expect(await linesAt(backend, { since: '2999-01-01T00:00:00Z' })).toEqual([])
  })

  test('holds no key, no text that somebody wrote, and no query', async () => {
    await using backend = await daemon({ open: true })
    await using fake = await fakePeer()
    await backend.rpc('cacp/peer/add', { url: fake.url })
    await backend.rpc('cacp/project/create', { name: 'Moonshot', objective: 'confidential' })
    await backend.post(call('cacp/project/list'), { authorization: 'Bearer cacp_sk_live_wrong' })
    await backend.fetch('/nothing?token=hunter2', { headers: { host: 'evil.example.com' } })
    await linesAt(backend)
    const names = (await readdir(backend.dataDir)).filter((name) => name.startsWith('audit-'))
    const text = (await Promise.all(names.map((name) => readFile(join(backend.dataDir, name), 'utf8')))).join(
      '',
    )
    expect(text).toContain('GET /nothing')
    for (const secret of [backend.key, 'cacp_sk_live_wrong', 'Moonshot', 'confidential', 'hunter2', 'Bearer'])
      expect(text).not.toContain(secret)
  })
})
