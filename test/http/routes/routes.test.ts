import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { Disk, DiskFile } from '../../../src/io/store/directory/disk.ts'
import { nodeDisk } from '../../../src/io/store/directory/node-disk.ts'
import { METHODS } from '../../../src/methods/table.ts'
import { daemon } from '../../support/daemons/daemon.ts'

const FRONTEND = {
  agentId: 'aid://example.com/frontend@1.0.0',
  endpoint: 'http://127.0.0.1:8081',
  repoName: 'frontend-app',
}
const JSON_TYPE = { 'content-type': 'application/json' }
const BYTES = { 'content-type': 'application/octet-stream' }
const NO_KEY = { authorization: '' }

describe('discovery', () => {
  test('the card says who this is and what it speaks [cacp-card-1] [cacp-version-1] [cacp-aid-1]', async () => {
    await using backend = await daemon()
    const { status, json } = await backend.fetch('/.well-known/agent.json', { headers: NO_KEY })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      name: 'CACP Agent (backend-api)',
      description: 'Coding agent for backend-api repository',
      version: expect.any(String),
      url: backend.url,
      protocols: { a2a: '0.3', cacp: '2.0' },
      capabilities: ['python', 'backend'],
      extensions: {
        cacp: {
          repo: 'backend-api',
          role: 'backend',
          language: 'python',
          agentId: 'aid://example.com/backend@1.0.0',
          supportedContractTypes: [
            'api_endpoint',
            'event_schema',
            'data_model',
            'config_spec',
            'rpc_interface',
            'custom',
          ],
        },
      },
    })
  })

  test('health tells everybody the little that the document shows, and callers with a key more [cacp-health-1]', async () => {
    await using backend = await daemon()
    const anybody = {
      status: 'healthy',
      agentId: 'aid://example.com/backend@1.0.0',
      repo: 'backend-api',
      peerCount: 0,
      recovered: false,
    }
    expect((await backend.fetch('/health', { headers: NO_KEY })).json).toEqual(anybody)
    await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    expect((await backend.fetch('/health')).json).toMatchObject({
      ...anybody,
      version: expect.any(String),
      uptimeSeconds: expect.any(Number),
      store: { seq: 4, projects: 1, statements: 4, bytes: expect.any(Number), quotaBytes: 512 * 1024 * 1024 },
    })
  })

  test('/health tells everybody why nothing is written, and has its usual body again when it is', async () => {
    let isFull = false
    const withinRoom = (file: DiskFile): DiskFile => ({
      ...file,
      append: async (bytes) => {
        if (isFull) throw Object.assign(new Error('simulated'), { code: 'ENOSPC' })
        await file.append(bytes)
      },
    })
    const disk: Disk = { ...nodeDisk, open: async (path) => withinRoom(await nodeDisk.open(path)) }
    await using backend = await daemon({}, { disk })
    const usual = (await backend.fetch('/health', { headers: NO_KEY })).json
    isFull = true
    const refused = backend.rpc('cacp/project/create', { name: 'p', objective: 'o' })
    await expect(refused).rejects.toMatchObject({ data: { kind: 'storage_full', retryable: true } })
    expect((await backend.fetch('/health', { headers: NO_KEY })).json).toEqual({
      ...usual,
      status: 'degraded',
      reason: 'The disk of the data directory is full: nothing is written, reading goes on',
      next: 'Free some space on it; writing resumes by itself',
    })
    expect((await backend.fetch('/v1/health', { headers: NO_KEY })).json.status).toBe('degraded')
    isFull = false
    await backend.rpc('cacp/project/create', { name: 'p', objective: 'o' })
    expect((await backend.fetch('/health', { headers: NO_KEY })).json).toEqual(usual)
  })

  test('/methods lists every row of the table [cacp-methods-1]', async () => {
    await using backend = await daemon()
    const { methods } = (await backend.fetch('/methods', { headers: NO_KEY })).json
    expect(methods).toEqual([...METHODS.map((row) => row.name), 'rpc.discover'])
  })
})

describe('peers', () => {
  test('a peer registered with a key is stored, once, and survives a restart of its call [cacp-peers-1]', async () => {
    await using backend = await daemon()
    const register = (body: object) =>
      backend.fetch('/peers/register', { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
    expect((await register(FRONTEND)).json).toEqual({ status: 'registered', peerCount: 1 })
    expect((await register({ ...FRONTEND, endpoint: 'http://127.0.0.1:9000/' })).json).toEqual({
      status: 'registered',
      peerCount: 1,
    })
    expect((await backend.fetch('/peers')).json.peers).toMatchObject([
      { ...FRONTEND, endpoint: 'http://127.0.0.1:9000', trust: 'approved' },
    ])
    expect((await backend.fetch('/health')).json.peerCount).toBe(1)
  })

  test('registering the daemon with itself stores nothing', async () => {
    await using backend = await daemon()
    const body = JSON.stringify({ ...FRONTEND, agentId: 'aid://example.com/backend@1.0.0' })
    expect(
      (await backend.fetch('/peers/register', { method: 'POST', headers: JSON_TYPE, body })).json,
    ).toEqual({ status: 'registered', peerCount: 0 })
  })

  test('somebody without a key is only noted, in bounds, and replaces nobody', async () => {
    await using backend = await daemon({ ratePairing: 100_000 })
    const register = (body: object, headers = {}) =>
      backend.fetch('/peers/register', {
        method: 'POST',
        headers: { ...JSON_TYPE, ...headers },
        body: JSON.stringify(body),
      })
    await register(FRONTEND)
    expect(await register({ ...FRONTEND, endpoint: 'http://evil.example' }, NO_KEY)).toMatchObject({
      status: 403,
    })
    for (let n = 0; n < 100; n++) {
      const { json } = await register({ ...FRONTEND, agentId: `aid://example.com/p${n}@1.0.0` }, NO_KEY)
      expect(json).toEqual({ status: 'pending', peerCount: 1 })
    }
    expect(
      await register({ ...FRONTEND, agentId: 'aid://example.com/one-more@1.0.0' }, NO_KEY),
    ).toMatchObject({ status: 429 })
    expect((await backend.fetch('/peers')).json.peers).toHaveLength(101)
    expect((await backend.fetch('/peers', { headers: NO_KEY })).status).toBe(401)
  })

  test.each([
    [{ ...FRONTEND, agentId: 'front\nend' }, 'agentId'],
    [{ ...FRONTEND, agentId: '' }, 'agentId'],
    [{ ...FRONTEND, endpoint: 'file:///etc/passwd' }, 'endpoint'],
    [{ ...FRONTEND, repoName: '' }, 'repoName'],
    [{}, 'agentId'],
    [[], 'body'],
    ['{', undefined],
  ])('%j is refused and names %s', async (body, field) => {
    await using backend = await daemon()
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const { status, json } = await backend.fetch('/peers/register', {
      method: 'POST',
      headers: JSON_TYPE,
      body: text,
    })
    expect(status).toBe(400)
    expect(json.error.field).toBe(field)
    expect((await backend.fetch('/peers')).json.peers).toEqual([])
  })
})

describe('files', () => {
  test('an upload is streamed in, named by file/share and read back', async () => {
    await using backend = await daemon()
    const bytes = Buffer.alloc(3_000_000, 'cacp')
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const uploaded = await backend.fetch('/files', { method: 'POST', headers: BYTES, body: bytes })
    expect(uploaded).toMatchObject({
      status: 201,
      json: { sha256, size: bytes.length, savedTo: `/files/${sha256}` },
    })
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'n', objective: 'o' })
    const shared = await backend.rpc('cacp/file/share', {
      projectId,
      file: { name: 'a.bin', sha256 },
      purpose: 'sample',
    })
    expect(shared).toMatchObject({ status: 'received', size: bytes.length })
    const { status, headers, text } = await backend.fetch(`/files/${sha256}`)
    expect(status).toBe(200)
    expect(headers['content-disposition']).toBe('attachment')
    expect(Buffer.from(text).equals(bytes)).toBe(true)
  })

  test('more than 10 MiB is refused and leaves nothing', async () => {
    await using backend = await daemon()
    const { bytes } = (await backend.fetch('/health')).json.store
    const { status, json } = await backend.fetch('/files', {
      method: 'POST',
      headers: BYTES,
      body: Buffer.alloc(10 * 1024 * 1024 + 1),
    })
    expect(status).toBe(413)
    expect(json.error.kind).toBe('too_large')
    expect((await backend.fetch('/health')).json.store.bytes).toBe(bytes)
  })

  test.each(['../operator.key', '%2e%2e%2foperator.key', 'x', 'A'.repeat(64), '0'.repeat(64), '%zz'])(
    'GET /files/%s finds nothing',
    async (name) => {
      await using backend = await daemon()
      const { status, json } = await backend.fetch(`/files/${name}`)
      expect([400, 404]).toContain(status)
      expect(json.error.message).not.toContain(backend.dataDir)
    },
  )
})

describe('the door', () => {
  test('a call without a valid key is 401 and says how to get one [cacp-security-1]', async () => {
    await using backend = await daemon()
    const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }
    for (const authorization of ['', 'Bearer wrong', 'Bearer', 'Basic abc', `Bearer ${backend.key}x`]) {
      const { status, json } = await backend.post(list, { authorization })
      expect(status).toBe(401)
      expect(json.error).toMatchObject({
        code: -32000,
        data: { kind: 'unauthorized', next: expect.stringContaining('cacpd key') },
      })
    }
    expect((await backend.post([list], NO_KEY)).status).toBe(401)
    expect((await backend.post({ ...list, id: undefined }, NO_KEY)).status).toBe(401)
    expect((await backend.post({ ...list, method: 'rpc.discover' }, NO_KEY)).status).toBe(200)
  })

  test('an open daemon needs no key, but keeps its operator methods and its other checks', async () => {
    await using backend = await daemon({ open: true })
    const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }
    expect((await backend.post(list, NO_KEY)).status).toBe(200)
    expect((await backend.post(list, { authorization: 'Bearer' })).status).toBe(200)
    expect((await backend.post(list, { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await backend.post(list, { ...NO_KEY, origin: 'http://evil.example' })).status).toBe(403)
  })

  test('X-Agent-ID names the acting agent, in whatever words [cacp-security-2] [cacp-aid-1]', async () => {
    await using backend = await daemon()
    const { projectId } = await backend.rpc('cacp/project/create', {
      name: 'n',
      objective: 'o',
      repos: [{ name: 'backend-api' }, { name: 'frontend-app' }],
    })
    const asFrontend = { 'x-agent-id': FRONTEND.agentId }
    await backend.rpc('cacp/project/join', { projectId, repoName: 'frontend-app' }, asFrontend)
    await backend.rpc('cacp/context/askQuestion', { projectId, question: '?' }, asFrontend)
    const { repos, context_history } = await backend.rpc('cacp/project/get', { projectId })
    expect(context_history).toMatchObject([
      {
        from_agent: FRONTEND.agentId,
        from_repo: repos.find((repo: { name: string }) => repo.name === 'frontend-app').repo_id,
      },
    ])
    const refused = await backend.post(
      { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' },
      { 'x-agent-id': 'front\tend' },
    )
    expect(refused.json.error).toMatchObject({ code: -32600, message: expect.stringContaining('X-Agent-ID') })
    const named = await backend.post(
      { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' },
      { 'x-agent-id': 'frontend' },
    )
    expect(named.json.result.projects).toHaveLength(1)
  })

  test('a refused X-Agent-ID never loses the id of a call (CACP-32)', async () => {
    await using backend = await daemon({ open: true })
    const bad = { ...NO_KEY, 'x-agent-id': 'x'.repeat(300) }
    const call = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'cacp/project/list' })
    const one = await backend.post(call('request-1'), bad)
    expect([one.status, one.json.id, one.json.error.code]).toEqual([200, 'request-1', -32600])
    const { json } = await backend.post([call(1), { ...call(2), id: undefined }, call('b')], bad)
    expect(json.map(({ id }: { id: unknown }) => id)).toEqual([1, 'b'])
    const wrongKey = await backend.post(call(7), { authorization: 'Bearer wrong' })
    expect([wrongKey.status, wrongKey.json.id]).toEqual([401, 7])
    expect((await backend.post('{', bad)).json.id).toBeNull()
    expect((await backend.rpc('cacp/project/list')).projects).toEqual([])
  })

  test.each(['/health', '/methods', '/.well-known/agent.json', '/openrpc.json'])(
    'GET %s is answered whatever X-Agent-ID says (CACP-32)',
    async (path) => {
      await using backend = await daemon({ open: true })
      for (const name of ['agent-backend-api', 'x'.repeat(300), 'a\tb']) {
        const { status } = await backend.fetch(path, { headers: { ...NO_KEY, 'x-agent-id': name } })
        expect(status).toBe(200)
      }
    },
  )

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:8080',
    'a b',
    'user@localhost',
  ])('a request for the host %j is refused before its body is read', async (host) => {
    await using backend = await daemon()
    expect((await backend.post('{', { host })).status).toBe(403)
    expect((await backend.fetch('/health', { headers: { host } })).status).toBe(403)
  })

  test.each(['localhost:1', '127.0.0.1', '[::1]:8080', 'LOCALHOST'])(
    'a request for the host %j is taken',
    async (host) => {
      await using backend = await daemon()
      expect((await backend.fetch('/health', { headers: { host } })).status).toBe(200)
    },
  )

  test('only configured pages may call, only as JSON', async () => {
    await using backend = await daemon({ allowedOrigins: ['https://good.example'] })
    const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }
    expect((await backend.post(list, { origin: 'https://good.example' })).status).toBe(200)
    expect((await backend.post(list, { origin: 'null' })).status).toBe(403)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])
      expect((await backend.post(list, { 'content-type': type })).status).toBe(415)
    expect((await backend.post(list, { 'content-type': 'Application/JSON; charset=utf-8' })).status).toBe(200)
  })

  test('the browser of a configured page is told what it may send and that it may read, no other', async () => {
    await using backend = await daemon({ allowedOrigins: ['https://good.example'] })
    const ask = (path: string, origin: string) =>
      backend.fetch(path, {
        method: 'OPTIONS',
        headers: { ...NO_KEY, origin, 'access-control-request-method': 'POST' },
      })
    for (const path of ['/', '/files', '/peers/register']) {
      expect(await ask(path, 'https://good.example')).toMatchObject({
        status: 204,
        headers: {
          'access-control-allow-origin': 'https://good.example',
          'access-control-allow-methods': 'GET, POST',
          'access-control-allow-headers':
            'authorization, content-type, x-agent-id, x-project-token, idempotency-key, last-event-id, a2a-version, a2a-extensions, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name',
          vary: 'origin',
        },
      })
      const { status, headers } = await ask(path, 'https://evil.example')
      expect(status).toBe(403)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
    const list = { jsonrpc: '2.0', id: 1, method: 'cacp/project/list' }
    const origin = 'https://good.example'
    for (const { headers } of [
      await backend.post(list, { origin }),
      await backend.post(list, { origin, ...NO_KEY }),
      await backend.fetch('/health', { headers: { origin } }),
      await backend.fetch('/nothing', { headers: { origin } }),
    ])
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'origin' })
    expect((await backend.post(list)).headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('a body over 1 MiB is 413, told by its length or counted', async () => {
    await using backend = await daemon()
    const { status, json } = await backend.post(`"${'x'.repeat(1024 * 1024)}"`)
    expect(status).toBe(413)
    expect(json.error).toMatchObject({ code: -32600, data: { kind: 'body_too_large' } })
    expect(await chunked(backend.url, backend.key, 2 * 1024 * 1024)).toMatch(/^HTTP\/1\.1 413/)
    expect((await backend.fetch('/health')).status).toBe(200)
  })

  test('a query after the path of the door changes nothing', async () => {
    await using backend = await daemon()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/project/list' })
    const { status, json } = await backend.fetch('/?x=1', { method: 'POST', headers: JSON_TYPE, body })
    expect(status).toBe(200)
    expect(json.result).toEqual({ projects: [] })
  })

  test('unknown paths are 404 and wrong verbs 405 with Allow, both as JSON', async () => {
    await using backend = await daemon()
    expect(await backend.fetch('/nothing')).toMatchObject({
      status: 404,
      json: { error: { kind: 'not_found' } },
    })
    expect(await backend.fetch('/', { method: 'PUT' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD, POST' },
      json: { error: { kind: 'method_not_allowed' } },
    })
    expect(await backend.fetch('/health', { method: 'POST' })).toMatchObject({
      status: 405,
      headers: { allow: 'GET, HEAD' },
    })
    expect(await backend.fetch('/peers/register')).toMatchObject({ status: 405, headers: { allow: 'POST' } })
  })
})

/** Sends a body of unknown length in chunks, and reads the beginning of the answer. */
function chunked(url: string, key: string, bytes: number): Promise<string> {
  const { port, host } = new URL(url)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST / HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      for (let sent = 0; sent < bytes; sent += 65536) socket.write(`10000\r\n${'x'.repeat(65536)}\r\n`)
    })
    socket.once('data', (data) => {
      resolve(data.toString('latin1'))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
