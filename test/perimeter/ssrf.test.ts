import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { newcomer } from '../support/daemons/newcomer.ts'

interface Canary extends AsyncDisposable {
  port: number
  /** Connections, whatever was said on them. */
  hits: number
}

/** Listens at every address of this machine, and only this machine should ever be able to tell. */
async function canary(): Promise<Canary> {
  const server = createServer((socket) => {
    bird.hits++
    socket.on('error', () => {})
    socket.destroy()
  })
  server.listen(0, '::')
  await once(server, 'listening')
  const bird: Canary = {
    port: (server.address() as AddressInfo).port,
    hits: 0,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
  return bird
}

/** All the ways to write this machine, or a place that no daemon is at. */
const SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.0.0.1.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:0:0:1]',
  '[::]',
  '0.0.0.0',
  '0',
  'localhost',
  'localhost.',
  'LOCALHOST',
  'a.localhost',
  '①②⑦.0.0.1',
  '[64:ff9b::7f00:1]',
  '169.254.169.254',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '10.0.0.1',
  '192.168.0.1',
]

/** Names that lead here: at once, besides elsewhere, only when asked again, and never the same. */
const NAMES: Record<string, (ask: number) => string[]> = {
  'ours.example': () => ['127.0.0.1'],
  'ours-too.example': () => ['::1'],
  'both.example': () => ['203.0.113.9', '127.0.0.1'],
  'mapped.example': () => ['::ffff:127.0.0.1'],
  'later.example': (ask) => (ask === 1 ? ['::'] : ['127.0.0.1']),
  'turns.example': (ask) => [ask % 2 === 0 ? '169.254.169.254' : '127.0.0.1'],
}

/** Something in front of it hands calls on, so every caller may be from anywhere. */
async function exposed(): Promise<{ backend: TestDaemon; asked: Map<string, number> }> {
  const asked = new Map<string, number>()
  const resolve = async (name: string) => {
    const ask = (asked.get(name) ?? 0) + 1
    asked.set(name, ask)
    return NAMES[name]?.(ask) ?? []
  }
  const flags = { publicUrl: 'https://team.example', ratePairing: 100_000, peerRetrySeconds: [0, 0, 0, 0] }
  return { backend: await daemon(flags, { resolve }), asked }
}

const registration = (host: string, port: number, n: number) => ({
  agentId: `aid://example.com/p${n}@1.0.0`,
  endpoint: `https://${host}:${port}`,
  repoName: `p${n}`,
})

const register = (backend: TestDaemon, body: object) =>
  backend.fetch('/peers/register', {
    method: 'POST',
    headers: { authorization: '', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/** With this a newcomer makes the daemon call it. */
const sayHello = (backend: TestDaemon, paired: Record<string, unknown>): Promise<unknown> =>
  backend.rpc(
    'cacp/sync/hello',
    { storeId: 'guest', bootId: '1' },
    { authorization: `Bearer ${paired['apiKey']}` },
  )

/** Tried, and refused where it would have gone out. */
async function failedEverywhere(backend: TestDaemon, agents: readonly string[]): Promise<void> {
  const stopped = async () => {
    const { peers } = await backend.rpc('cacp/peer/list')
    return peers
      .filter((peer: { agentId: string }) => agents.includes(peer.agentId))
      .every(({ lastError }: { lastError: string | null }) =>
        /is not called|cannot be reached/.test(lastError ?? ''),
      )
  }
  await expect.poll(stopped, { timeout: 20_000, interval: 100 }).toBe(true)
}

describe('a caller from outside cannot make a daemon call its own machine or network', () => {
  test.each(['https', 'http'])('by registering %s://…, however that is spelled', async (scheme) => {
    await using bird = await canary()
    const { backend } = await exposed()
    await using _ = backend
    for (const [n, host] of SPELLINGS.entries()) {
      const body = registration(host, bird.port, n)
      const { status, json } = await register(backend, {
        ...body,
        endpoint: body.endpoint.replace('https', scheme),
      })
      expect([host, status, json.error?.field]).toEqual([host, 400, 'endpoint'])
    }
    const userinfo = registration('user:secret@127.0.0.1', bird.port, 99)
    expect((await register(backend, userinfo)).status).toBe(400)
    expect((await backend.rpc('cacp/peer/list')).peers).toEqual([])
    expect(bird.hits).toBe(0)
  })

  test('by registering a name, also when the operator approves it and the name changes its mind', async () => {
    await using bird = await canary()
    const { backend, asked } = await exposed()
    await using _ = backend
    const agents: string[] = []
    for (const [n, name] of Object.keys(NAMES).entries()) {
      const body = registration(name, bird.port, n)
      expect(await register(backend, body)).toMatchObject({ status: 200, json: { status: 'pending' } })
      agents.push(body.agentId)
    }
    expect(asked.size).toBe(0)
    for (const agentId of agents) await backend.rpc('cacp/peer/approve', { agentId })
    await failedEverywhere(backend, agents)
    expect([...asked.keys()].sort()).toEqual(Object.keys(NAMES).sort())
    expect(bird.hits).toBe(0)
  })

  test('by pairing, with an invite in its hand', async () => {
    await using bird = await canary()
    const { backend } = await exposed()
    await using _ = backend
    const { url } = await backend.rpc('cacp/invite/create', {})
    const invite = String(url).replace('https://team.example', backend.url)
    const guest = await newcomer('guest')
    for (const host of SPELLINGS) {
      const { status } = await guest.pair(invite, { endpoint: `https://${host}:${bird.port}` })
      expect([host, status]).toEqual([host, 400])
    }
    const paired = await guest.pair(invite, { endpoint: `https://turns.example:${bird.port}` })
    expect(paired.status).toBe(200)
    await sayHello(backend, paired.body)
    await failedEverywhere(backend, [guest.agentId])
    expect(bird.hits).toBe(0)
  })

  test('by what it says about a repo: that is only ever shown', async () => {
    await using bird = await canary()
    const { backend } = await exposed()
    await using _ = backend
    const { url } = await backend.rpc('cacp/invite/create', {})
    const guest = await newcomer('guest')
    const { body } = await guest.pair(String(url).replace('https://team.example', backend.url), {
      endpoint: 'https://nowhere.example',
    })
    const asGuest = { authorization: `Bearer ${body['apiKey']}` }
    const { projectId } = await backend.rpc('cacp/project/create', {
      name: 'n',
      objective: 'o',
      repos: [{ name: 'guest' }],
    })
    const agentEndpoint = `http://127.0.0.1:${bird.port}`
    await backend.rpc('cacp/project/join', { projectId, repoName: 'guest', agentEndpoint }, asGuest)
    await sayHello(backend, body)
    await backend.rpc('cacp/peer/sync', {})
    await failedEverywhere(backend, [guest.agentId])
    expect(bird.hits).toBe(0)
  })
})

test('a caller on this machine names this machine, and nothing that only the daemon could reach for it', async () => {
  await using backend = await daemon({ open: true })
  for (const host of ['10.0.0.1', '192.168.0.1', '1.1.1.1', '169.254.169.254', '[fd00::1]', '0.0.0.0'])
    expect((await register(backend, registration(host, 1, 1))).json.error?.field).toBe('endpoint')
})

test.each([
  'http://192.168.0.1:1',
  'http://example.com',
  'http://169.254.169.254',
  'http://127.0.0.1.example.com',
])('the operator is not sent in clear to %s', async (url) => {
  await using backend = await daemon()
  await expect(backend.rpc('cacp/peer/add', { url })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/^url: /),
  })
})
