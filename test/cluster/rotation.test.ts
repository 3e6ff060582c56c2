import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts'
import type { PublicKey } from '../../src/domain/trust/trust.ts'
import { openIdentity } from '../../src/io/identity/identity.ts'
import { openStore } from '../../src/io/store/open-store.ts'
import { systemClock } from '../../src/io/system/clock.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'

const FRONTEND = 'aid://example.com/frontend@1.0.0'
const BACKEND = 'aid://example.com/backend@1.0.0'
const BOUND = { timeout: 10_000, interval: 50 }

/** A data directory whose store has one approved peer with this key pinned. */
async function folderPinning(peer: { url: string; key: PublicKey }): Promise<Folder> {
  const folder = await folderWith()
  const { store } = await openStore({ directory: join(folder.path, '.cacp'), clock: systemClock })
  const now = systemClock.now()
  await store.commit(() => ({
    result: undefined,
    local: [
      {
        table: 'peer',
        id: FRONTEND,
        value: {
          agent_id: FRONTEND,
          endpoint: peer.url,
          repo_name: 'frontend-app',
          trust: 'approved',
          registered_at: now,
          last_seen: now,
          identity: peer.key,
        },
      },
    ],
  }))
  await store[Symbol.asyncDispose]()
  return folder
}

async function startIn(folder: Folder): Promise<Daemon> {
  const flags = {
    data: join(folder.path, '.cacp'),
    repo: 'backend-api',
    agentId: BACKEND,
    open: true,
    port: 0,
  }
  const config = await loadConfig({ flags, env: {}, cwd: folder.path })
  return startDaemon(config, { log: pino({ level: 'silent' }) })
}

async function pinnedIn(folder: Folder): Promise<PublicKey | undefined> {
  const { store } = await openStore({ directory: join(folder.path, '.cacp'), clock: systemClock })
  const { identity } = store.view.peers.get(FRONTEND) ?? {}
  await store[Symbol.asyncDispose]()
  return identity
}

const peersAt = async ({ url }: { url: string }) =>
  ((await (await fetch(`${url}/peers`)).json()) as { peers: { health: string; lastError: string | null }[] })
    .peers
const healthAt = async (at: { url: string }) => (await peersAt(at)).map(({ health }) => health)
const keyOf = async (at: TestDaemon): Promise<PublicKey> =>
  (await at.fetch('/.well-known/agent.json')).json.extensions.cacpd.identity.key
const openFrontend = () => daemon({ open: true, repo: 'frontend-app', agentId: FRONTEND })

const wordsAt = async (at: TestDaemon) =>
  (await at.rpc('cacp/peer/list')).peers.map(({ fingerprint }: { fingerprint: string }) => fingerprint)

describe('a peer that is pinned', () => {
  test('and takes a new key is followed at once, because the old key vouches for it', async () => {
    await using backend = await daemon()
    await using frontend = await daemon({ repo: 'frontend-app', agentId: FRONTEND })
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    const [before] = await wordsAt(frontend)
    await expect.poll(() => wordsAt(backend), BOUND).toEqual([before])
    const old = await keyOf(frontend)

    const rotated = await frontend.rpc('cacp/identity/rotate')
    expect(rotated).toMatchObject({ agentId: FRONTEND, rotations: 1, publicKey: await keyOf(frontend) })
    expect(rotated.publicKey).not.toEqual(old)
    const { keys } = (await frontend.fetch('/.well-known/jwks.json')).json
    expect(keys).toMatchObject([{ ...rotated.publicKey, kid: rotated.fingerprint }, old])

    const [after] = await wordsAt(frontend)
    expect(after).not.toBe(before)
    await expect.poll(() => wordsAt(backend), BOUND).toEqual([after])
    const { projectId } = await frontend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    await expect
      .poll(() => backend.rpc('cacp/project/get', { projectId }).catch(() => null), BOUND)
      .not.toBeNull()
  })

  test('and took several keys while we were away is followed through all of them', async () => {
    await using frontend = await openFrontend()
    await using folder = await folderPinning({ url: frontend.url, key: await keyOf(frontend) })
    for (let times = 0; times < 3; times++) await frontend.rpc('cacp/identity/rotate')
    const backend = await startIn(folder)
    await expect.poll(() => healthAt(backend), BOUND).toEqual(['healthy'])
    await backend[Symbol.asyncDispose]()
    expect(await pinnedIn(folder)).toEqual(await keyOf(frontend))
  })

  test('and shows a key that nobody vouched for is a stranger, and gets nothing', async () => {
    await using frontend = await openFrontend()
    await using elsewhere = await folderWith()
    const { publicKey, keyId } = await openIdentity(elsewhere.path, systemClock)
    await using folder = await folderPinning({ url: frontend.url, key: publicKey })
    const backend = await startIn(folder)
    await expect.poll(() => healthAt(backend), BOUND).toEqual(['stranger'])
    expect((await peersAt(backend))[0]?.lastError).toContain(`the pinned key ${keyId} does not vouch`)
    const created = await fetch(backend.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'cacp/project/create' },
        params: { name: 'secret', objective: 'nobody else sees it' },
      }),
    })
    expect(await created.json()).toMatchObject({ result: { projectId: expect.any(String) } })
    await frontend.rpc('cacp/identity/rotate')
    await expect.poll(() => healthAt(backend), BOUND).toEqual(['stranger'])
    expect((await frontend.rpc('cacp/project/list', {})).projects).toEqual([])
    await backend[Symbol.asyncDispose]()
    expect(await pinnedIn(folder)).toEqual(publicKey)
  })

  test('and whose card somebody else copied is a stranger, who is never shown our key', async () => {
    await using backend = await daemon({ peerRetrySeconds: [0] })
    await using frontend = await daemon({ repo: 'frontend-app', agentId: FRONTEND })
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    await expect
      .poll(async () => (await backend.rpc('cacp/peer/list')).peers[0].health, BOUND)
      .toBe('healthy')
    const card = (await frontend.fetch('/.well-known/agent.json')).text
    const shown: string[] = []
    const impostor = createServer((request, response) => {
      shown.push(`${request.method} ${request.headers.authorization ?? ''}`.trim())
      response.setHeader('content-type', 'application/json')
      response.end(request.url === '/.well-known/agent.json' ? card : '{"status":"healthy","proof":"a.b.c"}')
    }).listen(0, '127.0.0.1')
    await once(impostor, 'listening')
    const { port } = impostor.address() as AddressInfo
    await backend.fetch('/peers/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        agentId: FRONTEND,
        endpoint: `http://127.0.0.1:${port}`,
        repoName: 'frontend-app',
      }),
    })
    await expect
      .poll(async () => (await backend.rpc('cacp/peer/list')).peers[0].health, BOUND)
      .toBe('stranger')
    expect((await backend.rpc('cacp/peer/list')).peers[0].lastError).toContain('cannot prove')
    expect(new Set(shown)).toEqual(new Set(['GET']))
    impostor.closeAllConnections()
    impostor.close()
  })
})

describe('a daemon that takes a new key', () => {
  test('goes on speaking for its repo everywhere, and for the project that it founded', async () => {
    await using backend = await daemon()
    await using frontend = await daemon({ repo: 'frontend-app', agentId: FRONTEND })
    const { url } = await backend.rpc('cacp/invite/create', {})
    await frontend.rpc('cacp/peer/join', { url })
    const { projectId } = await frontend.rpc('cacp/project/create', {
      name: 'Auth',
      objective: 'login',
      repos: [{ name: 'frontend-app' }, { name: 'backend-api' }],
    })
    const joined = () => backend.rpc('cacp/project/join', { projectId }).catch(() => null)
    await expect.poll(joined, BOUND).not.toBeNull()
    for (let times = 0; times < 2; times++) await frontend.rpc('cacp/identity/rotate')

    const proposed = { projectId, type: 'custom', name: 'Me', content: { v: 1 } }
    const { contractId } = await frontend.rpc('cacp/contract/propose', proposed)
    const ids = { projectId, contractId }
    const agreed = () =>
      backend.rpc('cacp/contract/respond', { ...ids, action: 'agree' }).catch((error) => String(error))
    await expect.poll(agreed, BOUND).toMatchObject({ status: 'agreed' })
    await expect.poll(() => frontend.rpc('cacp/contract/get', ids), BOUND).toMatchObject({ status: 'agreed' })
    for (const at of [backend, frontend])
      expect((await at.rpc('cacp/project/get', { projectId })).repos).toMatchObject([
        { name: 'backend-api', agent_id: BACKEND },
        { name: 'frontend-app', agent_id: FRONTEND },
      ])
    expect((await backend.rpc('cacp/peer/list')).peers).toMatchObject([{ refused: { count: 0 } }])
  })

  test('and was killed before all was said says the rest when it starts', async () => {
    await using folder = await folderWith()
    const first = await startIn(folder)
    const call = async (at: Daemon, method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const headers = { 'content-type': 'application/json' }
      const answer = (await (await fetch(at.url, { method: 'POST', headers, body })).json()) as {
        result?: Record<string, string>
      }
      if (answer.result === undefined) throw new Error(JSON.stringify(answer))
      return answer.result
    }
    const { projectId } = await call(first, 'cacp/project/create', { name: 'n', objective: 'o' })
    await first[Symbol.asyncDispose]()
    const next = await (await openIdentity(join(folder.path, '.cacp'), systemClock)).makeNext()

    const second = await startIn(folder)
    const shared = { projectId, decision: 'the key', chosen: 'the new one', rationale: '' }
    expect(await call(second, 'cacp/context/recordDecision', shared)).toHaveProperty('packetId')
    await second[Symbol.asyncDispose]()
    const identity = await openIdentity(join(folder.path, '.cacp'), systemClock)
    expect(identity).toMatchObject({ keyId: next.keyId, next: undefined })
    expect(identity.rotations).toHaveLength(1)
  })
})
