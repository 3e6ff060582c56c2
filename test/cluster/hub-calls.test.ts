import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CALL_TYP } from '../../src/domain/hub/call.ts'
import { ROTATION_TYP } from '../../src/domain/trust/rotation.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { FakeAgent, hashOf } from '../support/hub/fake-agent.ts'
import { needNatsServer } from '../support/hub/need-nats-server.ts'
import { hubAt, preparedHub } from '../support/hub/prepared-hub.ts'
import { BACKEND, FRONTEND } from './pairs.ts'

needNatsServer()

const BOUND = { timeout: 20_000 }
const FAKE = 'aid://example.com/fake@1.0.0'
const FRONTEND_ID = 'aid://example.com/frontend@1.0.0'

const backendOn = (url: string) => daemon({ hub: hubAt(url), peerRetrySeconds: [0, 0, 0, 0] })
const frontendOn = (url: string) => daemon({ ...FRONTEND, hub: hubAt(url) })

/** Lets an agent in as soon as its card is on the hub. */
const approve = (at: TestDaemon, word: string) =>
  expect
    .poll(() => at.rpc('cacp/peer/approve', { agentId: word }).catch((error: Error) => error.message), BOUND)
    .toMatchObject({ status: 'approved' })

async function knowEachOther(backend: TestDaemon, frontend: TestDaemon): Promise<void> {
  await approve(backend, 'frontend-app')
  await approve(frontend, BACKEND)
}

const sendWork = async (from: TestDaemon, parameters: object): Promise<string> =>
  (await from.rpc('cacp/work/send', { peer: 'frontend-app', workType: 'echo', parameters })).work.workId

const work = async (at: TestDaemon, workId: string) => await at.rpc('cacp/work/get', { workId })

describe('two daemons that know no address of each other', () => {
  test('see each other on the hub with the same words, and give each other work once both approved', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using frontend = await frontendOn(hub.url)
    const seen = async (at: TestDaemon) =>
      (await at.rpc('cacp/peer/list')).onHub.map((one: { repoName: string }) => one.repoName)
    await expect.poll(() => seen(backend), BOUND).toEqual(['frontend-app'])
    await expect.poll(() => seen(frontend), BOUND).toEqual(['backend-api'])
    const [[one], [other]] = await Promise.all(
      [backend, frontend].map(async (at) => (await at.rpc('cacp/peer/list')).onHub),
    )
    expect(one.fingerprint).toBe(other.fingerprint)

    await knowEachOther(backend, frontend)
    expect((await backend.rpc('cacp/peer/list')).onHub).toEqual([])
    expect((await backend.rpc('cacp/peer/list')).peers).toMatchObject([
      { agentId: FRONTEND_ID, endpoint: expect.stringMatching(/^hub:/), health: 'healthy', behind: null },
    ])
    const workId = await sendWork(backend, { text: 'step ', repeat: 5, delay_ms: 20 })
    await expect.poll(async () => (await work(backend, workId)).work.status, BOUND).toBe('completed')
    expect((await work(backend, workId)).result).toMatchObject({ output: 'step '.repeat(5) })
    expect((await frontend.rpc('cacp/run/list')).runs).toMatchObject([{ asked_by: BACKEND }])
  }, 90_000)

  test('know each other by a rotated key too, whoever calls first', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using frontend = await frontendOn(hub.url)
    await knowEachOther(backend, frontend)
    const rotated = async (at: TestDaemon) => (await at.rpc('cacp/identity/rotate')).fingerprint
    const doneBy = async (workId: string) =>
      await expect.poll(async () => (await work(backend, workId)).work.status, BOUND).toBe('completed')
    // The one that is called, the one that calls, and both.
    await rotated(frontend)
    await doneBy(await sendWork(backend, { text: 'answered with another key' }))
    await rotated(backend)
    await doneBy(await sendWork(backend, { text: 'asked with another key' }))
    for (const one of [frontend, frontend, backend, backend]) await rotated(one)
    await doneBy(await sendWork(backend, { text: 'both' }))
    expect((await frontend.rpc('cacp/run/list')).runs).toHaveLength(3)
    const words = async (at: TestDaemon) => (await at.rpc('cacp/peer/list')).peers[0].fingerprint
    expect(await words(backend)).toBe(await words(frontend))
  }, 90_000)

  test('do not follow a key for which the one that was approved does not vouch', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using fake = await FakeAgent.on(hub.url)
    await fake.putCard()
    await approve(backend, FAKE)
    await using impostor = await FakeAgent.on(hub.url)
    const claims = { iss: FAKE, old: fake.publicKey, new: impostor.publicKey, iat: 1 }
    await impostor.putCard({ rotations: [await impostor.sign(claims, ROTATION_TYP)] })
    expect((await impostor.call(BACKEND)).text).toContain('has not the signature')
    expect((await fake.call(BACKEND)).status).toBe(200)
    await impostor.putCard({ rotations: [await fake.sign(claims, ROTATION_TYP)] })
    await expect.poll(async () => (await impostor.call(BACKEND)).status, BOUND).toBe(200)
    expect((await fake.call(BACKEND)).status).toBe(401)
  }, 90_000)

  test('get a file of each other, from the one that has it and from the hub when that is away', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using frontend = await frontendOn(hub.url)
    await knowEachOther(backend, frontend)
    const bytes = Buffer.alloc(700_000, 'cacp')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const upload = { 'content-type': 'application/octet-stream' }
    await backend.fetch('/files', { method: 'POST', headers: upload, body: bytes })
    await backend.rpc('cacp/file/share', { projectId, file: { name: 'a.bin', sha256 } })
    const mentions = () =>
      frontend.rpc('cacp/context/list', { projectId }).then(
        ({ packets }) => packets.length,
        () => 0,
      )
    await expect.poll(mentions, BOUND).toBe(1)
    const fetched = await frontend.fetch(`/files/${sha256}`)
    expect([fetched.status, hashOf(fetched.text)]).toEqual([200, sha256])

    await using late = await daemon({
      repo: 'late-app',
      agentId: 'aid://example.com/late@1.0.0',
      hub: hubAt(hub.url),
    })
    await using reader = await FakeAgent.on(hub.url)
    await expect.poll(() => reader.rooms.files.has(sha256), BOUND).toBe(true)
    await backend[Symbol.asyncDispose]()
    await frontend[Symbol.asyncDispose]()
    await expect
      .poll(
        () =>
          late.rpc('cacp/context/list', { projectId }).then(
            ({ packets }) => packets.length,
            () => 0,
          ),
        BOUND,
      )
      .toBe(1)
    const fromHub = await late.fetch(`/files/${sha256}`)
    expect([fromHub.status, hashOf(fromHub.text)]).toEqual([200, sha256])
  }, 90_000)

  test('end what is under way when one shuts the other out, and say plainly when one is away', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using frontend = await frontendOn(hub.url)
    await knowEachOther(backend, frontend)
    const workId = await sendWork(backend, { text: 'step ', repeat: 2000, delay_ms: 50 })
    await expect
      .poll(
        async () => (await frontend.rpc('cacp/run/list')).runs.map((run: { status: string }) => run.status),
        BOUND,
      )
      .toEqual(['in_progress'])
    await frontend.rpc('cacp/peer/revoke', { agentId: BACKEND })
    await expect.poll(async () => (await work(backend, workId)).work.status, BOUND).toBe('failed')

    await frontend[Symbol.asyncDispose]()
    const lost = await sendWork(backend, { text: 'x' })
    await expect.poll(async () => (await work(backend, lost)).work.endedAt, BOUND).not.toBeNull()
    expect((await work(backend, lost)).work.error.message).toContain('nobody listens for its calls')
  }, 90_000)
})

describe('a call over the hub', () => {
  test('is answered only with the signature of an approved peer, made now, for this daemon, and once', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using fake = await FakeAgent.on(hub.url)
    await expect.poll(() => fake.rooms.cards.get(BACKEND), BOUND).toBeDefined()
    const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/project/list', params: {} })
    const asPeer = { path: '/' }
    const stranger = await fake.call(BACKEND, asPeer, list)
    expect(stranger).toMatchObject({ status: 401, parts: ['head', 'data', 'end'] })
    expect(stranger.text).toContain('approve')

    await fake.putCard()
    await approve(backend, FAKE)
    const { status, text } = await fake.call(BACKEND, asPeer, list)
    expect([status, JSON.parse(text)]).toMatchObject([200, { result: { projects: [] } }])
    const operators = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/audit/list', params: {} })
    expect(JSON.parse((await fake.call(BACKEND, asPeer, operators)).text)).toHaveProperty('error')

    const once = await fake.sign(fake.claims(BACKEND), CALL_TYP)
    expect((await fake.send(BACKEND, once)).status).toBe(200)
    expect(await fake.send(BACKEND, once)).toMatchObject({
      status: 401,
      text: expect.stringContaining('before'),
    })
    const hourAgo = Math.floor(Date.now() / 1000) - 3600
    expect((await fake.call(BACKEND, { iat: hourAgo, exp: hourAgo + 60 })).text).toContain('another time')
    expect((await fake.call(BACKEND, { exp: hourAgo + 7200 })).text).toContain('too long')
    expect((await fake.call(BACKEND, { aud: FRONTEND_ID })).text).toContain('another agent')
    expect((await fake.call(BACKEND, { sha256: hashOf('other') })).text).toContain('its body is another one')
    await using liar = await FakeAgent.on(hub.url)
    expect((await liar.call(BACKEND)).text).toContain('has not the signature')

    await backend.rpc('cacp/peer/revoke', { agentId: FAKE })
    expect((await fake.call(BACKEND)).status).toBe(401)
  }, 90_000)

  test('asks the agent for something, and follows its own runs alone, once its caller is approved', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using fake = await FakeAgent.on(hub.url)
    const OTHER = 'aid://example.com/other@1.0.0'
    await using other = await FakeAgent.on(hub.url, OTHER)
    await expect.poll(() => fake.rooms.cards.get(BACKEND), BOUND).toBeDefined()
    const run = (from: FakeAgent, what: string, params: object = {}) =>
      from.call(
        BACKEND,
        { path: '/' },
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: `cacp/run/${what}`, params }),
      )
    const content = [{ type: 'text', text: 'What is agreed?' }]
    const question = JSON.stringify({ input: [{ role: 'user', type: 'message', content }] })
    const ask = (from: FakeAgent) => from.call(BACKEND, { path: '/process' }, question)
    for (const refused of [await ask(fake), await run(fake, 'list')])
      expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('approve')])
    expect((await backend.rpc('cacp/run/list')).runs).toEqual([])

    for (const [one, agentId] of [
      [fake, FAKE],
      [other, OTHER],
    ] as const) {
      await one.putCard()
      await approve(backend, agentId)
    }
    expect((await ask(fake)).status).toBe(200)
    const { runs } = JSON.parse((await run(fake, 'list')).text).result
    expect(runs).toMatchObject([{ asked_by: FAKE, status: 'completed' }])
    const runId = runs[0].run_id
    expect(JSON.parse((await run(fake, 'get', { runId })).text).result).toHaveProperty('result')
    expect(JSON.parse((await run(other, 'list')).text).result.runs).toEqual([])
    for (const what of ['get', 'cancel'])
      expect(JSON.parse((await run(other, what, { runId })).text)).toHaveProperty('error')
  }, 90_000)

  test('of an earlier start of the daemon is not taken again', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using fake = await FakeAgent.on(hub.url)
    await fake.putCard()
    await approve(backend, FAKE)
    expect((await fake.call(BACKEND)).status).toBe(200)
    const proof = await fake.sign(fake.claims(BACKEND), CALL_TYP)
    await backend.restart()
    await expect.poll(async () => (await fake.send(BACKEND, proof)).parts.at(-1), BOUND).toBe('boot')
  }, 90_000)

  test('shows no card that is of another agent or organisation, too long, or signed by another key', async () => {
    await using hub = await preparedHub()
    await using backend = await backendOn(hub.url)
    await using fake = await FakeAgent.on(hub.url)
    await using other = await FakeAgent.on(hub.url)
    await fake.putCard({}, 'aid://example.com/victim@1.0.0')
    await fake.putCard(
      { agentId: 'aid://example.com/a@1.0.0', publicKey: other.publicKey },
      'aid://example.com/a@1.0.0',
    )
    await fake.putCard(
      { agentId: 'aid://example.com/b@1.0.0', role: 'x'.repeat(20_000) },
      'aid://example.com/b@1.0.0',
    )
    await fake.rooms.cards.put('aid://example.com/c@1.0.0', 'no card')
    await fake.putCard({ agentId: 'aid://example.com/e@1.0.0', org: 'other' }, 'aid://example.com/e@1.0.0')
    await fake.putCard({ agentId: 'aid://example.com/d@1.0.0', repo: 'honest' }, 'aid://example.com/d@1.0.0')
    const seen = async () =>
      (await backend.rpc('cacp/peer/list')).onHub.map((one: { repoName: string }) => one.repoName)
    await expect.poll(seen, BOUND).toEqual(['honest'])
  }, 90_000)
})
