import { networkInterfaces } from 'node:os'
import { connect as connectTls } from 'node:tls'
import { request } from 'undici'
import { describe, expect, test } from 'vitest'
import { connect } from '../../src/client.ts'
import { readEndpoint } from '../../src/io/place/data-dir.ts'
import { daemon, type TestDaemon } from '../support/daemons/daemon.ts'
import { freePort } from '../support/network/free-port.ts'
import { rawConnection } from './raw.ts'

/** An address of this machine that others could call, if it has one. */
const OUTER = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address
const BOUND = { timeout: 20_000, interval: 100 }

/** A daemon that other machines can call. */
async function outer(name: string, flags: object = {}): Promise<TestDaemon> {
  const host = OUTER ?? ''
  const port = await freePort(host)
  return daemon({
    host,
    port,
    publicUrl: `https://${host}:${port}`,
    repo: name,
    agentId: `aid://example.com/${name}@1.0.0`,
    ...flags,
  })
}

describe.skipIf(OUTER === undefined)('a daemon that other machines can call', () => {
  test('speaks TLS only, with a certificate of its own that local commands know', async () => {
    await using backend = await outer('backend')
    expect(backend.url).toMatch(/^https:/)
    await expect(request(`${backend.url}/health`)).rejects.toMatchObject({
      code: 'DEPTH_ZERO_SELF_SIGNED_CERT',
    })
    const plain = await rawConnection(backend)
    let heard = ''
    plain.on('data', (data: Buffer) => {
      heard += data.toString('latin1')
    })
    plain.write('GET /health HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(() => plain.destroyed || plain.readableEnded, BOUND).toBe(true)
    expect(heard).not.toContain('HTTP/1.1 200')
    await using client = await connect({ dataDir: backend.dataDir })
    expect(await client.call('cacp/project/list', {})).toEqual({ projects: [] })
    expect((await client.card())['url']).toBe(backend.url)
  })

  test('goes by its own names, and shows browsers that it wants TLS', async () => {
    await using backend = await outer('backend', { publicUrl: 'https://team.example:8443' })
    const { headers, status, json } = await backend.fetch('/.well-known/agent.json')
    expect(status).toBe(200)
    expect(json.url).toBe('https://team.example:8443')
    expect(headers['strict-transport-security']).toContain('max-age')
    expect((await backend.fetch('/health', { headers: { host: 'team.example' } })).status).toBe(200)
    expect((await backend.fetch('/health', { headers: { host: 'other.example' } })).status).toBe(403)
  })

  test('is paired with another by two commands, over the certificates that the invite pinned', async () => {
    await using backend = await outer('backend')
    await using frontend = await outer('frontend')
    const { url } = await backend.rpc('cacp/invite/create', {})
    expect(url).toMatch(/^https:.+\/pair#[\w-]+\.[\w-]{43}\.[0-9a-f]{64}$/)
    const joined = await frontend.rpc('cacp/peer/join', { url })
    expect(joined).toMatchObject({ agentId: 'aid://example.com/backend@1.0.0' })
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const seen = async () => (await frontend.rpc('cacp/project/list')).projects.map(idOf)
    await expect.poll(seen, BOUND).toEqual([projectId])
    const back = await frontend.rpc('cacp/project/create', { name: 'm', objective: 'o' })
    await expect
      .poll(async () => (await backend.rpc('cacp/project/list')).projects.map(idOf), BOUND)
      .toContain(back.projectId)
  })

  test('is not joined by whoever finds another certificate there than the invite says', async () => {
    await using backend = await outer('backend')
    await using frontend = await outer('frontend')
    const { url } = await backend.rpc('cacp/invite/create', {})
    const other = `${String(url).slice(0, -64)}${'ab'.repeat(32)}`
    await expect(frontend.rpc('cacp/peer/join', { url: other })).rejects.toThrow(
      'another certificate than the one that was pinned',
    )
    await expect(frontend.rpc('cacp/peer/join', { url: String(url).slice(0, -65) })).rejects.toThrow(
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    )
    expect((await backend.rpc('cacp/peer/list')).peers).toEqual([])
    const plain = String(url).replace('https:', 'http:')
    await expect(frontend.rpc('cacp/peer/join', { url: plain })).rejects.toThrow('plain http')
  })

  test('keeps its certificate over a restart, and lets nobody in without a key', async () => {
    await using backend = await outer('backend')
    const before = await readEndpoint(backend.dataDir)
    await backend.restart()
    expect((await readEndpoint(backend.dataDir))?.certificate).toBe(before?.certificate)
    const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }
    expect((await backend.post(list)).status).toBe(200)
    expect((await backend.post(list, { authorization: '' })).status).toBe(401)
    expect((await backend.post(list, { authorization: '', 'x-agent-id': 'aid://a/b@1.0.0' })).status).toBe(
      401,
    )
  })

  test('bounds the connections of one address, and what hangs in a handshake', async () => {
    await using backend = await outer('backend', { maxConnectionsPerAddress: 20, headerSeconds: 1 })
    const hoarded = await Promise.all(Array.from({ length: 60 }, () => rawConnection(backend)))
    for (const socket of hoarded) socket.resume()
    const open = () => hoarded.filter((socket) => !socket.destroyed && !socket.readableEnded).length
    await expect.poll(open, BOUND).toBeLessThanOrEqual(20)
    expect(await backend.rpc('cacp/project/list')).toEqual({ projects: [] })
    await expect.poll(open, BOUND).toBe(0)
  })

  test('speaks no TLS of old', async () => {
    await using backend = await outer('backend')
    const { hostname, port } = new URL(backend.url)
    const socket = connectTls({
      host: hostname,
      port: Number(port),
      rejectUnauthorized: false,
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
    })
    const code = await new Promise((resolve) => {
      socket.once('secureConnect', () => resolve('connected'))
      socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
    })
    expect(code).not.toBe('connected')
    socket.destroy()
  })
})

const idOf = ({ project_id }: { project_id: string }): string => project_id
