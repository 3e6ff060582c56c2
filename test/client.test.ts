import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { CallError, ConnectionError, type ConnectOptions, connect } from '../src/client.ts'
import { daemon } from './support/daemons/daemon.ts'
import { folderWith } from './support/folders/folder.ts'

/** Something that listens and is no daemon. */
async function stub(answer: RequestListener): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )

describe('a client of a running daemon', () => {
  test('finds it and its key by the data directory', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    const { projectId } = await client.call('cacp/project/create', { name: 'Auth', objective: 'login' })
    const { projects } = await client.call('cacp/project/list', {})
    expect(projects).toMatchObject([{ project_id: projectId, name: 'Auth' }])
  })

  test('reads health, card and peers', async () => {
    await using running = await daemon()
    await using client = await connect({ url: running.url, key: running.key })
    expect(await client.health()).toMatchObject({
      status: 'healthy',
      repo: 'backend-api',
      store: { projects: 0 },
    })
    expect(await client.card()).toMatchObject({ extensions: { cacp: { repo: 'backend-api' } } })
    expect(await client.peers()).toEqual([])
  })

  test.each(['aid://example.com/web@1.0.0', 'agent-web', 'Müllers Agent', 'агент ☕'])(
    'acts as the agent it names, such as %s',
    async (agentId) => {
      await using running = await daemon()
      await using client = await connect({ dataDir: running.dataDir, agentId })
      const { projectId } = await client.call('cacp/project/create', { name: 'A', objective: '' })
      expect(await client.call('cacp/project/get', { projectId })).toMatchObject({ created_by: agentId })
    },
  )

  test('gets the same answer again with the same idempotency key', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    const create = () =>
      client.call('cacp/project/create', { name: 'A', objective: '' }, { idempotencyKey: 'Schlüssel ☕' })
    expect(await create()).toEqual(await create())
  })

  test('gets one answer per call of a batch, in order, and a failure fails only itself', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    const [created, missing, listed] = await client.batch([
      { method: 'cacp/project/create', params: { name: 'A', objective: '' } },
      { method: 'cacp/project/get', params: { projectId: 'nope' } },
      { method: 'cacp/project/list', params: {} },
    ])
    expect(created).toMatchObject({ status: 'fulfilled', value: { status: 'created' } })
    expect(missing).toMatchObject({ status: 'rejected', reason: { kind: 'not_found' } })
    expect(listed.status).toBe('fulfilled')
    expect(await client.batch([])).toEqual([])
  })

  test('is told when a batch is refused as a whole', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    const call = { method: 'cacp/project/list', params: {} } as const
    expect(await thrownBy(client.batch(Array.from({ length: 51 }, () => call)))).toMatchObject({
      name: 'CallError',
      kind: 'invalid_request',
    })
  })

  test('can notify', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    await client.notify('cacp/project/create', { name: 'Quiet', objective: '' })
    expect((await client.call('cacp/project/list', {})).projects).toMatchObject([{ name: 'Quiet' }])
  })
})

describe('files', () => {
  const BYTES = Buffer.from('hello')
  const SHA256 = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824'
  const STORED = { sha256: SHA256, size: 5, savedTo: `/files/${SHA256}` }

  test('go up from a path or from a stream, and come down by their hash', async () => {
    await using running = await daemon()
    await using folder = await folderWith({ 'hello.txt': 'hello' })
    await using client = await connect({ dataDir: running.dataDir })
    expect(await client.upload(folder.at('hello.txt'))).toEqual(STORED)
    expect(await client.upload(Readable.from([BYTES.subarray(0, 2), BYTES.subarray(2)]))).toEqual(STORED)
    expect(await client.download(SHA256)).toEqual(BYTES)
  })

  test('that are not there are told by who misses them', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    expect(await thrownBy(client.upload('/no/such/file'))).toMatchObject({ code: 'ENOENT' })
    expect(await thrownBy(client.download('0'.repeat(64)))).toMatchObject({
      name: 'CallError',
      kind: 'not_found',
    })
    expect(await thrownBy(client.download('../peers'))).toBeInstanceOf(TypeError)
  })

  test('whose source fails fail with its error', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    async function* source() {
      yield BYTES
      throw new Error('no more')
    }
    expect(await thrownBy(client.upload(source()))).toMatchObject({ message: 'no more' })
  })

  test('are refused without a key and past the bound', async () => {
    await using running = await daemon()
    const large = () => Readable.from(Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024)))
    await using stranger = await connect({ url: running.url })
    expect(await thrownBy(stranger.upload(Readable.from([BYTES])))).toMatchObject({ kind: 'unauthorized' })
    await using client = await connect({ dataDir: running.dataDir })
    expect(await thrownBy(client.upload(large()))).toMatchObject({ kind: 'too_large' })
  })

  test('that are other than their hash says are not taken', async () => {
    await using other = await stub((_request, response) => response.end('hell'))
    await using client = await connect({ url: other.url })
    expect(await thrownBy(client.download(SHA256))).toMatchObject({
      name: 'ConnectionError',
      message: `${other.url} answered other bytes than those of ${SHA256}`,
    })
  })
})

describe('a failure', () => {
  test('to know an option is one of the programmer', async () => {
    expect(await thrownBy(connect({ data: '/tmp' } as ConnectOptions))).toEqual(
      new TypeError(
        'connect: unknown option data; known are url, key, certificate, agentId, dataDir, timeoutMs',
      ),
    )
  })

  test('that the daemon tells is a CallError with kind and next step', async () => {
    await using running = await daemon()
    await using client = await connect({ dataDir: running.dataDir })
    const error = await thrownBy(client.call('cacp/project/get', { projectId: 'nope' }))
    expect(error).toBeInstanceOf(CallError)
    expect(error).toMatchObject({
      code: -32602,
      kind: 'not_found',
      message: expect.stringContaining('No project nope'),
      next: expect.any(String),
      data: { projectId: 'nope', retryable: false },
    })
  })

  test('for want of a key says how to get one, also outside of JSON-RPC', async () => {
    await using running = await daemon()
    await using client = await connect({ url: running.url })
    const expected = { name: 'CallError', kind: 'unauthorized', next: expect.stringContaining('cacpd key') }
    expect(await thrownBy(client.call('cacp/project/list', {}))).toMatchObject(expected)
    expect(await thrownBy(client.peers())).toMatchObject(expected)
    await using wrong = await connect({ url: running.url, key: 'wrong' })
    expect(await thrownBy(wrong.notify('cacp/project/list', {}))).toMatchObject(expected)
  })

  test('to connect names the URL and `cacpd up -d`', async () => {
    const gone = await stub(() => {})
    await gone[Symbol.asyncDispose]()
    await using client = await connect({ url: gone.url })
    const error = await thrownBy(client.call('cacp/project/list', {}))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      message: `No daemon answers at ${gone.url} (ECONNREFUSED)`,
      next: 'Start it with `cacpd up -d`',
    })
  })

  test('to find a daemon is a ConnectionError too', async () => {
    await using folder = await folderWith()
    const error = await thrownBy(connect({ dataDir: folder.path }))
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({ message: `No daemon was ever started with ${folder.path}` })
    expect(inspect(error).match(/No daemon was ever/g)).toHaveLength(1)
    expect(error).not.toHaveProperty('cause')
  })

  test.each([
    ['<html>', /answered 502 with something that is not JSON/],
    ['"text"', /gave no JSON-RPC answer/],
    ['{}', /gave no JSON-RPC answer/],
    ['[]', /gave no JSON-RPC answer/],
  ])('of something else that answers %s is told as such', async (body, message) => {
    await using other = await stub((_request, response) => response.writeHead(502).end(body))
    await using client = await connect({ url: other.url })
    const error = await thrownBy(client.call('cacp/project/list', {}))
    expect(error).toBeInstanceOf(ConnectionError)
    expect((error as Error).message).toMatch(message)
  })

  test('after the call was sent warns that it may have been carried out', async () => {
    await using other = await stub((request) => request.socket.destroy())
    await using client = await connect({ url: other.url })
    const error = await thrownBy(client.call('cacp/project/list', {}))
    expect(error).toMatchObject({ name: 'ConnectionError', next: expect.stringContaining('idempotency key') })
  })

  test('of a stream of events that breaks off is a ConnectionError as well', async () => {
    let hangUp = () => {}
    await using other = await stub((request, response) => {
      hangUp = () => request.socket.destroy()
      response.writeHead(200).write('data: {"data":{"cursor":"1"}}\n\n')
    })
    await using client = await connect({ url: other.url })
    const followed = client.follow()
    expect(await followed.next()).toMatchObject({ value: { cursor: '1' } })
    hangUp()
    expect(await thrownBy(followed.next())).toMatchObject({ name: 'ConnectionError' })
  })

  test('to answer in time ends the call', async () => {
    await using other = await stub(() => {})
    await using client = await connect({ url: other.url, timeoutMs: 50 })
    expect(await thrownBy(client.call('cacp/project/list', {}))).toMatchObject({
      message: expect.stringContaining('UND_ERR_HEADERS_TIMEOUT'),
    })
  })

  test('that the caller wanted is the reason it gave', async () => {
    const abort = new AbortController()
    await using other = await stub(() => abort.abort(new Error('changed my mind')))
    await using client = await connect({ url: other.url })
    const error = await thrownBy(client.call('cacp/project/list', {}, { signal: abort.signal }))
    expect(error).toMatchObject({ message: 'changed my mind' })
  })
})

describe('a URL with a path', () => {
  test('keeps it in front of everything', async () => {
    const seen: (string | undefined)[] = []
    await using other = await stub((request, response) => {
      seen.push(request.url)
      response.end('{"result":{}}')
    })
    await using client = await connect({ url: `${other.url}/prefix` })
    await client.call('cacp/project/list', {})
    await client.health()
    expect(seen).toEqual(['/prefix/', '/prefix/health'])
  })
})

describe('importing the client', () => {
  test('loads no package and no method table; undici comes with the first call', () => {
    const seen = new Set<string>()
    const packages = new Set<string>()
    const follow = (file: string) => {
      if (seen.has(file)) return
      seen.add(file)
      const source = readFileSync(file, 'utf8')
      for (const [, target = ''] of source.matchAll(
        /^(?:import|export) (?!type )(?:[^'()=]*from )?'([^']+)'/gm,
      )) {
        if (target.startsWith('.')) follow(join(dirname(file), target))
        else if (!target.startsWith('node:')) packages.add(target)
      }
    }
    follow(new URL('../src/client.ts', import.meta.url).pathname)
    expect(packages).toEqual(new Set())
    expect([...seen].filter((file) => file.endsWith('/load-outbound.ts'))).toHaveLength(1)
    expect([...seen].filter((file) => file.includes('/methods/'))).toEqual([])
  })
})
