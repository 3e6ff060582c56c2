import { dirname } from 'node:path'
import { json } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { readInviteUrl } from '../../src/domain/trust/invite-url.ts'
import { keyIdOf } from '../../src/domain/trust/key-id.ts'
import { apiKeyOf, hashOfSecret } from '../../src/domain/trust/keys.ts'
import { PAIR_TYP } from '../../src/domain/trust/pairing.ts'
import type { PublicKey } from '../../src/domain/trust/trust.ts'
import { cacpd } from '../cli/captured-terminal.ts'
import { daemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'
import { droppingProxy } from '../support/network/dropping-proxy.ts'
import { encryptedServer } from '../support/network/encrypted-server.ts'
import { takePort } from '../support/network/take-port.ts'
import {
  arrives,
  BACKEND,
  BOUND,
  bothHealthy,
  createProject,
  FRONTEND,
  healthOf,
  MOBILE,
  pair,
  peersOf,
  wordsOf,
} from './pairs.ts'

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
    // Neither called the other before that one knew its key.
    for (const one of [backend, frontend])
      expect((await one.rpc('cacp/audit/list', { refused: true })).lines).toEqual([])

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
    await expect(frontend.rpc('cacp/peer/join', { url: other })).rejects.toThrow(
      'does not have the key of the invite',
    )
    expect(await peersOf(frontend)).toEqual([])
    const { pair: pairAnyhow } = await newcomer('careless')
    expect(await pairAnyhow(other)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining('proof') } },
    })
    expect(await peersOf(backend)).toEqual([])
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

describe('whoever answers in the place of the inviter', () => {
  test.each(['another key', 'the key of the inviter', 'nonsense'])(
    'over TLS, with %s, is not believed',
    async (what) => {
      await using backend = await daemon()
      await using frontend = await daemon(FRONTEND)
      const thief = await newcomer('thief')
      const { publicKey } = await backend.rpc('cacp/identity/get', {})
      const { url } = await backend.rpc('cacp/invite/create', {})
      const secretHash = hashOfSecret(readInviteUrl(url).secret)
      const answerTo = async (asked: PublicKey) => ({
        agentId: BACKEND,
        repoName: 'backend-api',
        endpoint: backend.url,
        publicKey: what === 'another key' ? thief.identity.publicKey : publicKey,
        apiKey: apiKeyOf('t'.repeat(43)),
        proof: await thief.identity.sign({ sub: BACKEND, aud: keyIdOf(asked), secretHash }, PAIR_TYP),
      })
      await using impostor = await encryptedServer(async (incoming, outgoing) => {
        const sent = (await json(incoming)) as { publicKey: PublicKey }
        const body = what === 'nonsense' ? { hello: 'world' } : await answerTo(sent.publicKey)
        outgoing.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      })
      await expect(frontend.rpc('cacp/peer/join', { url: impostor.inPlaceOf(url) })).rejects.toThrow(
        what === 'nonsense' ? 'did not answer as a cacpd does' : 'does not have the key of the invite',
      )
      expect(await peersOf(frontend)).toEqual([])
    },
  )

  test.each([
    ['a card of its own', 'does not have the key of the invite'],
    ['the card of the inviter', 'A stranger answers'],
    ['a card without a key', 'did not answer as a cacpd does'],
    ['nonsense', 'does not say which version'],
  ])('in clear, showing %s, does not get to see the secret', async (what, told) => {
    const backend = await daemon()
    await using other = await daemon(MOBILE)
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    const cards: Record<string, string> = {
      'a card of its own': (await other.fetch('/.well-known/agent.json')).text,
      'the card of the inviter': (await backend.fetch('/.well-known/agent.json')).text,
      'a card without a key': '{"protocols":{"cacp":"2.0"}}',
      nonsense: '{"hello":"world"}',
    }
    await backend[Symbol.asyncDispose]()

    await using taker = await takePort(Number(new URL(backend.url).port), () => cards[what] ?? '')
    await expect(frontend.rpc('cacp/peer/join', { url })).rejects.toThrow(told)
    expect(taker.seen.length).toBeGreaterThan(0)
    expect(taker.seen.filter((sent) => !sent.startsWith('GET /'))).toEqual([])
    expect(taker.seen.join()).not.toContain(readInviteUrl(url).secret)
    expect(await peersOf(frontend)).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test('costs nothing: the daemon is started again, and joining again works', async () => {
    await using backend = await daemon()
    await using frontend = await daemon(FRONTEND)
    const { url } = await backend.rpc('cacp/invite/create', {})
    await using dropping = await droppingProxy(backend.url)
    await expect(frontend.rpc('cacp/peer/join', { url: dropping.inPlaceOf(url) })).rejects.toThrow(
      'cannot be reached',
    )
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
