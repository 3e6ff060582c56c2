import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { dirname, join } from 'node:path'
import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import type { Config } from '../../src/config.ts'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon, type TestDaemon } from '../support/daemon.ts'
import { droppingProxy } from '../support/dropping-proxy.ts'
import { newcomer } from '../support/newcomer.ts'

/** All of these daemons let nobody in without a key. */
const BACKEND = 'aid://example.com/backend@1.0.0'
const FRONTEND: Partial<Config> = {
  repo: 'frontend-app',
  role: 'frontend',
  agentId: 'aid://example.com/frontend@1.0.0',
}
const MOBILE: Partial<Config> = {
  repo: 'mobile-app',
  role: 'mobile',
  agentId: 'aid://example.com/mobile@1.0.0',
}
const BOUND = { timeout: 10_000 }

const peersOf = async (at: TestDaemon) => (await at.rpc('cacp/peer/list')).peers
const healthOf = async (at: TestDaemon) => (await peersOf(at)).map((peer: { health: string }) => peer.health)
const wordsOf = async (at: TestDaemon) =>
  (await peersOf(at)).map((one: { fingerprint: string }) => one.fingerprint)
const bothHealthy = (one: TestDaemon, other: TestDaemon) =>
  expect
    .poll(async () => [await healthOf(one), await healthOf(other)], BOUND)
    .toEqual([['healthy'], ['healthy']])

async function pair(inviter: TestDaemon, joiner: TestDaemon, invite: object = {}) {
  const { url } = await inviter.rpc('cacp/invite/create', invite)
  return joiner.rpc('cacp/peer/join', { url })
}

const createProject = async (at: TestDaemon, more: object = {}): Promise<string> =>
  (await at.rpc('cacp/project/create', { name: 'Auth', objective: 'log in', ...more })).projectId

const arrives = (at: TestDaemon, projectId: string) =>
  expect.poll(() => at.rpc('cacp/project/get', { projectId }).catch(() => null), BOUND).not.toBeNull()

describe('two daemons that were paired', () => {
  test('by two commands replicate both ways, and the joiner holds its repo', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const projectId = await createProject(backend)
    const invited = await cacpd(['invite', '--project', 'Auth'], { cwd: dirname(backend.dataDir) })
    expect(invited.exitCode).toBe(0)
    expect(invited.out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pair#[\w-]{43}\.[\w-]{43}\n$/)
    const joined = await cacpd(['join', '-'], { cwd: dirname(frontend.dataDir), input: invited.out })
    expect(joined).toMatchObject({ exitCode: 0, err: '' })
    const [words] = await wordsOf(backend)
    expect(joined.out).toBe(
      `Paired with backend-api (${BACKEND}).
The other side must see the same words: ${words}
Project Auth is here, and its repo frontend-app is yours.
`,
    )
    expect(await wordsOf(frontend)).toEqual([words])
    expect((await cacpd(['peers'], { cwd: dirname(backend.dataDir) })).out).toContain(
      `frontend-app: ${words}`,
    )
    await bothHealthy(backend, frontend)

    const { contractId } = await frontend.rpc('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: 'Me',
      content: { v: 1 },
    })
    const agree = { projectId, contractId, action: 'agree' }
    await expect
      .poll(() => backend.rpc('cacp/contract/respond', agree).catch(() => null), BOUND)
      .toMatchObject({ status: 'agreed' })
    await expect
      .poll(() => frontend.rpc('cacp/contract/get', { projectId, contractId }), BOUND)
      .toMatchObject({ status: 'agreed' })
  })

  test('fetch files from each other', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const projectId = await createProject(backend)
    await pair(backend, frontend, { project: projectId })
    const headers = { 'content-type': 'application/octet-stream' }
    const { sha256 } = (await backend.fetch('/files', { method: 'POST', headers, body: 'hello' })).json
    await backend.rpc('cacp/file/share', { projectId, file: { name: 'a.txt', sha256 } })
    await expect.poll(async () => (await frontend.fetch(`/files/${sha256}`)).text, BOUND).toBe('hello')
  })

  test('go on after both were started anew', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    await backend.restart()
    await frontend.restart()
    await bothHealthy(backend, frontend)
    const projectId = await createProject(frontend)
    await arrives(backend, projectId)
  })
})

describe('somebody without an invite', () => {
  test('can neither read nor write anything, and is told how to get in', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await using mobile = await daemon(MOBILE)
    const projectId = await createProject(backend)
    await pair(backend, frontend, { project: projectId })
    for (const headers of [
      { authorization: '' },
      { authorization: '', 'x-agent-id': String(FRONTEND.agentId) },
      { authorization: `Bearer ${mobile.key}` },
      { authorization: `Bearer cacp_sk_live_${'A'.repeat(43)}` },
    ]) {
      for (const [method, params] of [
        ['cacp/project/list', {}],
        ['cacp/project/create', { name: 'x', objective: 'y' }],
        ['cacp/sync/digest', {}],
      ] as const) {
        const { status, text } = await backend.post({ jsonrpc: '2.0', id: 1, method, params }, headers)
        expect([method, status]).toEqual([method, 401])
        expect(text).toContain('cacpd join URL')
        expect(text).not.toContain(projectId)
      }
    }
    // It knows where the daemon is, and that is all.
    expect(await mobile.rpc('cacp/peer/add', { url: backend.url })).toMatchObject({ theirStatus: 'pending' })
    const own = await createProject(mobile)
    await expect.poll(() => healthOf(mobile), BOUND).not.toEqual(['connecting'])
    expect(await mobile.rpc('cacp/project/list')).toMatchObject({ projects: [{ projectId: own }] })
    expect(await backend.rpc('cacp/project/list')).toMatchObject({ projects: [{ projectId }] })
    const pending = await cacpd(['peers', 'pending'], { cwd: dirname(backend.dataDir) })
    expect(pending.out).toContain(String(MOBILE.agentId))
  })

  test('learns nothing by trying secrets', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    const wrong = url.replace(/#[\w-]{43}/, `#${'A'.repeat(43)}`)
    await expect(frontend.rpc('cacp/peer/join', { url: wrong })).rejects.toThrow(
      'This invite is not valid: it is unknown, expired, or was used',
    )
    expect(await peersOf(backend)).toEqual([])
    expect(await peersOf(frontend)).toEqual([])
  })

  test('does not get in with a URL that names another key than the daemon has', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    const other = url.replace(/\.[\w-]{43}$/, `.${'B'.repeat(43)}`)
    await expect(frontend.rpc('cacp/peer/join', { url: other })).rejects.toThrow('proof')
    expect(await peersOf(frontend)).toEqual([])
  })
})

describe('an invite', () => {
  test('used by several at the same moment lets exactly one in', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await using mobile = await daemon(MOBILE)
    const { url } = await backend.rpc('cacp/invite/create', {})
    const outcomes = await Promise.allSettled(
      [frontend, mobile].map((one) => one.rpc('cacp/peer/join', { url })),
    )
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await peersOf(backend)).toHaveLength(1)
  })

  test('can be taken back', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url, inviteId } = await backend.rpc('cacp/invite/create', {})
    await backend.rpc('cacp/invite/withdraw', { inviteId })
    await expect(frontend.rpc('cacp/peer/join', { url })).rejects.toThrow('not valid')
  })

  test('of this daemon itself is refused', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    await expect(backend.rpc('cacp/peer/join', { url })).rejects.toThrow('of this daemon itself')
  })
})

describe('a peer that is revoked', () => {
  test('is refused at once, also on a connection that is open', async () => {
    await using backend = await daemon()
    const caller = new Agent({ connections: 1, pipelining: 1 })
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { agentId } = mobile
    const { body: answer } = await mobile.pair(url)
    const ask = async () => {
      const { statusCode, body } = await request(`${backend.url}/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${answer['apiKey']}`, 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }),
        dispatcher: caller,
      })
      await body.dump()
      return statusCode
    }
    expect(await ask()).toBe(200)
    const revoked = await cacpd(['peers', 'revoke', agentId, '--json'], { cwd: dirname(backend.dataDir) })
    expect(JSON.parse(revoked.out)).toEqual({ agentId, status: 'revoked' })
    expect(await ask()).toBe(401)
    await caller.close()
  })

  test('does not finish a call that it had begun', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const mobile = await newcomer('mobile')
    const { body: answer } = await mobile.pair(url)
    const call = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'cacp/project/create',
      params: { name: 'late', objective: 'o' },
    })
    const begun = httpRequest(backend.url, {
      method: 'POST',
      headers: { authorization: `Bearer ${answer['apiKey']}`, 'content-type': 'application/json' },
    })
    const answered = once(begun, 'response')
    begun.write(call.slice(0, 20))
    const [socket] = await once(begun, 'socket')
    if (socket.connecting) await once(socket, 'connect')
    // Whoever comes later is served later: by then the first part has been looked at.
    await backend.fetch('/health')
    await backend.rpc('cacp/peer/revoke', { agentId: mobile.agentId })
    begun.end(call.slice(20))
    const [response] = await answered
    response.resume()
    expect(response.statusCode).toBe(401)
    expect((await backend.rpc('cacp/project/list')).projects).toEqual([])
  })

  test('hears nothing more, and is only pending when it comes again', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    await backend.rpc('cacp/peer/revoke', { agentId: FRONTEND.agentId })
    expect(await peersOf(backend)).toMatchObject([{ trust: 'revoked', health: 'revoked' }])
    await createProject(backend)
    await frontend.rpc('cacp/peer/sync', {})
    await expect.poll(() => healthOf(frontend), BOUND).not.toEqual(['healthy'])
    expect((await frontend.rpc('cacp/project/list')).projects).toEqual([])
    const body = JSON.stringify({
      agentId: FRONTEND.agentId,
      endpoint: frontend.url,
      repoName: 'frontend-app',
    })
    const headers = { 'content-type': 'application/json', authorization: '' }
    const { json } = await backend.fetch('/peers/register', { method: 'POST', headers, body })
    expect(json).toEqual({ status: 'pending', peerCount: 0 })
    const approved = await cacpd(['peers', 'approve', 'frontend-app'], { cwd: dirname(backend.dataDir) })
    expect(approved).toMatchObject({ exitCode: 0, err: expect.stringContaining('It has no key') })
    // What it can have again it gets by an invite.
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
  })
})

describe('a wiped laptop', () => {
  test('comes back as the agent of its repo by an invite that replaces it', async () => {
    await using backend = await daemon()
    const frontend = await daemon(FRONTEND)
    const projectId = await createProject(backend)
    await pair(backend, frontend, { project: projectId })
    await bothHealthy(backend, frontend)
    await frontend[Symbol.asyncDispose]()

    await using wiped = await daemon(FRONTEND)
    await expect(pair(backend, wiped)).rejects.toThrow('is known with another identity')
    await pair(backend, wiped, { replaces: FRONTEND.agentId })
    await bothHealthy(backend, wiped)
    await arrives(wiped, projectId)
    await wiped.rpc('cacp/contract/propose', { projectId, type: 'custom', name: 'Me', content: {} })
    await expect
      .poll(async () => (await backend.rpc('cacp/contract/list', { projectId })).contracts, BOUND)
      .toHaveLength(1)
  })
})

describe('a key', () => {
  test('is renewed while it is in use, and the old one ends with the first use of the new one', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    await pair(backend, frontend)
    await bothHealthy(backend, frontend)
    const [old = ''] = await keysKeptBy(frontend)
    expect(await statusWith(old, backend)).toBe(200)
    const renewed = await cacpd(['peers', 'renew', 'frontend-app', '--json'], {
      cwd: dirname(backend.dataDir),
    })
    expect(JSON.parse(renewed.out)).toEqual({ agentId: FRONTEND.agentId, status: 'renewed' })
    const next = (await keysKeptBy(frontend)).at(-1) ?? ''
    expect(next).not.toBe(old)
    await expect.poll(() => statusWith(old, backend), BOUND).toBe(401)
    expect(await statusWith(next, backend)).toBe(200)
    const projectId = await createProject(frontend)
    await arrives(backend, projectId)
    await bothHealthy(backend, frontend)
  })

  test('cannot be renewed for a peer that was never paired', async () => {
    await using backend = await daemon({ open: true })
    await using frontend = await daemon({ ...FRONTEND, open: true })
    await backend.rpc('cacp/peer/add', { url: frontend.url })
    await expect(backend.rpc('cacp/peer/renew', { agentId: FRONTEND.agentId })).rejects.toThrow(
      'was not paired',
    )
  })
})

describe('an answer that is lost', () => {
  test('costs nothing: the daemon is started again, and joining again works', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    await using dropping = await droppingProxy(backend.url)
    const throughProxy = url.replace(backend.url, dropping.url)
    await expect(frontend.rpc('cacp/peer/join', { url: throughProxy })).rejects.toThrow('cannot be reached')
    expect(await peersOf(backend)).toHaveLength(1)
    expect(await peersOf(frontend)).toEqual([])
    await backend.restart()
    await frontend.rpc('cacp/peer/join', { url })
    await bothHealthy(backend, frontend)
    const projectId = await createProject(frontend)
    await arrives(backend, projectId)
  })

  test('does not help whoever has the URL but not the key it was used with', async () => {
    await using backend = await daemon()
    const { url } = await backend.rpc('cacp/invite/create', {})
    const [first, second] = [await newcomer('mobile'), await newcomer('mobile')]
    expect(await first.pair(url)).toMatchObject({ status: 200 })
    expect(await second.pair(url)).toMatchObject({ status: 403 })
    const stolen = { publicKey: first.identity.publicKey }
    expect(await second.pair(url, stolen)).toMatchObject({ status: 400 })
    expect(await first.pair(url)).toMatchObject({ status: 200 })
  })
})

/** The keys that a daemon was given to call others with, in the order in which they came. */
async function keysKeptBy({ dataDir }: TestDaemon): Promise<string[]> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('journal'))
  const texts = await Promise.all(names.map((name) => readFile(join(dataDir, name), 'utf8')))
  return texts.join('').match(/cacp_sk_live_[\w-]{43}/g) ?? []
}

async function statusWith(key: string, at: TestDaemon): Promise<number> {
  const call = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} }
  return (await at.post(call, { authorization: `Bearer ${key}` })).status
}
