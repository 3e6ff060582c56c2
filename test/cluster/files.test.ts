import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { type FakePeer, fakePeer } from '../support/network/fake-peer.ts'

const BYTES = Buffer.alloc(300_000, 'cacp')
const SHA = createHash('sha256').update(BYTES).digest('hex')
const UPLOAD = {
  method: 'POST' as const,
  headers: { 'content-type': 'application/octet-stream' },
  body: BYTES,
}

const named = (name: string) =>
  daemon({ open: true, repo: `${name}-app`, agentId: `aid://example.com/${name}@1.0.0` })

const connect = (from: TestDaemon, to: { url: string }) => from.rpc('cacp/peer/add', { url: to.url })

/** A project at `daemon` with a packet that names the file. */
async function shareFile(from: TestDaemon, project: object = {}): Promise<string> {
  const { projectId } = await from.rpc('cacp/project/create', { name: 'n', objective: 'o', ...project })
  await from.fetch('/files', UPLOAD)
  await from.rpc('cacp/file/share', { projectId, file: { name: 'a.bin', sha256: SHA } })
  return projectId
}

const mentions = (at: TestDaemon, projectId: string) =>
  at.rpc('cacp/context/list', { projectId }).then(
    ({ packets }) => packets.length,
    () => 0,
  )

describe('a file that another daemon has', () => {
  test('comes on demand, along a line, and is kept on the way', async () => {
    await using a = await named('a')
    await using b = await named('b')
    await using c = await named('c')
    await connect(a, b)
    await connect(b, c)
    const projectId = await shareFile(a)
    await expect.poll(() => mentions(c, projectId)).toBe(1)
    expect((await c.fetch('/health')).json.store.bytes).toBeLessThan(BYTES.length)

    const [first, second] = await Promise.all([c.fetch(`/files/${SHA}`), c.fetch(`/files/${SHA}`)])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(Buffer.from(first.text).equals(BYTES)).toBe(true)
    expect((await b.fetch('/health')).json.store.bytes).toBeGreaterThan(BYTES.length)

    await a[Symbol.asyncDispose]()
    await b[Symbol.asyncDispose]()
    expect((await c.fetch(`/files/${SHA}`)).status).toBe(200)
  })

  test('can be shared again by its hash', async () => {
    await using a = await named('a')
    await using b = await named('b')
    await connect(a, b)
    const projectId = await shareFile(a, { repos: [{ name: 'a-app' }, { name: 'b-app' }] })
    await expect.poll(() => mentions(b, projectId)).toBe(1)
    await b.rpc('cacp/project/join', { projectId })
    expect(
      await b.rpc('cacp/file/share', { projectId, file: { name: 'again.bin', sha256: SHA } }),
    ).toMatchObject({ status: 'received', size: BYTES.length })
  })

  test('is not found where nobody has it, also when all ask each other', async () => {
    await using a = await named('a')
    await using b = await named('b')
    await using c = await named('c')
    for (const [one, other] of [
      [a, b],
      [b, c],
      [c, a],
    ] as const)
      await connect(one, other)
    const { projectId } = await a.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    await a.rpc('cacp/context/share', {
      projectId,
      type: 'dependency_info',
      content: { file: { name: 'lost.bin', sha256: SHA } },
    })
    for (const one of [b, c]) await expect.poll(() => mentions(one, projectId)).toBe(1)
    const replies = await Promise.all([a, b, c].map((one) => one.fetch(`/files/${SHA}`)))
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})

describe('a peer', () => {
  /** A daemon with a healthy fake peer, and a packet that names the file. */
  async function withFake(fake: FakePeer, project: object = {}): Promise<TestDaemon> {
    const backend = await named('backend')
    await connect(backend, fake)
    await expect
      .poll(async () => (await backend.fetch('/peers')).json.peers)
      .toMatchObject([{ health: 'healthy' }])
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o', ...project })
    await backend.rpc('cacp/context/share', {
      projectId,
      type: 'dependency_info',
      content: { file: { name: 'x.bin', sha256: SHA } },
    })
    return backend
  }
  const asked = (fake: FakePeer) => fake.requests.filter((one) => one.startsWith('GET /files/'))

  test.each([
    ['other bytes', Buffer.from('something else')],
    ['too many bytes', Buffer.alloc(11 * 1024 * 1024)],
  ])('that answers with %s is not believed, and nothing of it is kept', async (_what, bytes) => {
    await using fake = await fakePeer({ files: { [SHA]: bytes } })
    await using backend = await withFake(fake)
    const { bytes: before } = (await backend.fetch('/health')).json.store
    expect((await backend.fetch(`/files/${SHA}`)).status).toBe(404)
    expect(asked(fake)).toEqual([`GET /files/${SHA}`])
    expect((await backend.fetch('/health')).json.store.bytes).toBe(before)
  })

  test('is asked only for what a packet names', async () => {
    await using fake = await fakePeer({ files: { [SHA]: BYTES } })
    await using backend = await withFake(fake)
    expect((await backend.fetch(`/files/${'0'.repeat(64)}`)).status).toBe(404)
    expect(asked(fake)).toEqual([])
    expect((await backend.fetch(`/files/${SHA}`)).status).toBe(200)
    expect((await backend.fetch(`/files/${SHA}`)).status).toBe(200)
    expect(asked(fake)).toEqual([`GET /files/${SHA}`])
  })

  test('is not asked for what it may not know of', async () => {
    await using fake = await fakePeer({ files: { [SHA]: BYTES } })
    await using backend = await withFake(fake, { visibility: 'members' })
    expect((await backend.fetch(`/files/${SHA}`)).status).toBe(404)
    expect(asked(fake)).toEqual([])
  })
})
