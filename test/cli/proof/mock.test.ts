import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { closeServer, listenLocally } from '../../../src/io/mock/listen.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'
import { type DaemonProcess, startProcess } from '../../support/daemons/process.ts'
import { cacpd } from '../captured-terminal.ts'

let running: TestDaemon
let mock: DaemonProcess
beforeAll(async () => {
  running = await daemon()
  const repos = [{ name: 'backend-api' }]
  await running.rpc('cacp/project/create', { name: 'Login', objective: '', repos })
  await agreed('Get User', { method: 'GET', path: '/users/me', response: { id: 'uuid' } })
  await running.rpc('cacp/contract/propose', {
    type: 'api_endpoint',
    name: 'Later',
    content: { method: 'GET', path: '/later', response: { a: 'string' } },
  })
  mock = await startProcess(running.dataDir, [], { command: 'mock' })
})
afterAll(async () => {
  expect(await mock.stop('SIGTERM')).toBe(0)
  await running[Symbol.asyncDispose]()
})

async function agreed(name: string, content: object): Promise<void> {
  await running.rpc('cacp/contract/propose', { type: 'api_endpoint', name, content })
  await running.rpc('cacp/contract/respond', { contractId: name, action: 'agree' })
}

/** Somebody who is sent events; `hear` gives the status of the answer. */
async function listener(hear: (body: string) => number): Promise<AsyncDisposable & { url: string }> {
  const server = createServer((request, response) => {
    text(request).then(
      (body) => response.writeHead(hear(body)).end(),
      () => response.destroy(),
    )
  })
  const url = await listenLocally(server, 0)
  return { url, [Symbol.asyncDispose]: () => closeServer(server) }
}

const get = (path: string) => fetch(`${mock.url}${path}`)
const cwd = () => dirname(running.dataDir)

describe('cacpd mock', () => {
  test('says where it listens and what it answers', async () => {
    expect(mock.listening).toMatchObject({
      event: 'listening',
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      operations: ['GET /users/me («Get User», version 1)'],
    })
    const answer = await get('/users/me')
    expect(answer.headers.get('cacp-version')).toBe('1')
    expect(await answer.json()).toEqual({ id: expect.any(String) })
  })

  test('says that something is only proposed, and serves it once it is agreed', async () => {
    expect(await (await get('/later')).json()).toMatchObject({
      status: 404,
      detail: expect.stringContaining('«Later» is proposed, and not in force yet'),
    })
    await running.rpc('cacp/contract/respond', { contractId: 'Later', action: 'agree' })
    await vi.waitFor(async () => expect((await get('/later')).status).toBe(200), 20_000)
  })

  test('serves a new version when it comes into force, and not before', async () => {
    const content = { method: 'GET', path: '/users/me', response: { id: 'uuid', name: 'string' } }
    await running.rpc('cacp/contract/update', { contractId: 'Get User', content })
    const version = async () => (await get('/users/me')).headers.get('cacp-version')
    expect(await version()).toBe('1')
    await running.rpc('cacp/contract/respond', { contractId: 'Get User', action: 'agree' })
    await vi.waitFor(async () => expect(await version()).toBe('2'), 20_000)
    expect(await (await get('/users/me')).json()).toHaveProperty('name')
    expect(mock.log()).toContain('+ GET /users/me («Get User», version 2)')
  })

  test('goes on without its daemon, and finds it again', async () => {
    await running.restart()
    expect((await get('/users/me')).status).toBe(200)
    await agreed('Back', { method: 'GET', path: '/back', response: { a: 'string' } })
    await vi.waitFor(async () => expect((await get('/back')).status).toBe(200), 20_000)
  })

  test('serves what is proposed where that is wanted', async () => {
    await running.rpc('cacp/contract/propose', {
      type: 'api_endpoint',
      name: 'Soon',
      content: { method: 'GET', path: '/soon', response: { a: 'string' } },
    })
    const proposed = await startProcess(running.dataDir, ['--proposed'], { command: 'mock' })
    try {
      expect((await fetch(`${proposed.url}/soon`)).status).toBe(200)
      expect((await get('/soon')).status).toBe(404)
    } finally {
      await proposed.stop('SIGINT')
    }
  })

  test('answers nothing itself before a real server, and compares what goes by', async () => {
    const server = createServer((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"no uuid","name":"Ada"}'),
    )
    const upstream = await listenLocally(server, 0)
    const proxy = await startProcess(running.dataDir, ['--upstream', upstream], { command: 'mock' })
    try {
      expect(await (await fetch(`${proxy.url}/users/me`)).json()).toEqual({ id: 'no uuid', name: 'Ada' })
      expect((await fetch(`${proxy.url}/not/agreed`)).status).toBe(200)
      await vi.waitFor(() =>
        expect(proxy.log()).toContain('GET /users/me: response.200.body.id must match format "uuid"'),
      )
    } finally {
      await proxy.stop('SIGTERM')
      await closeServer(server)
    }
    const folder = join(running.dataDir, 'exchanges')
    const [name = ''] = await readdir(folder)
    const { log } = JSON.parse(await readFile(join(folder, name), 'utf8'))
    expect(log.entries.map(({ response }: { response: { content: object } }) => response.content)).toEqual([
      expect.objectContaining({ text: '{"id":"no uuid","name":"Ada"}' }),
      { size: 0, mimeType: '', text: '' },
    ])
  })

  test('posts events that fit to whoever wants to hear them', async () => {
    await running.rpc('cacp/contract/propose', {
      type: 'event_schema',
      name: 'User Created',
      content: { event: 'user.created', payload: { id: 'uuid', email: 'email' } },
    })
    const got: { id: string; email: string }[] = []
    await using hook = await listener((body) => {
      got.push(JSON.parse(body))
      return got.length > 4 ? 500 : 202
    })
    const emit = (...words: string[]) =>
      cacpd(['mock', '--emit', 'user.created', '--to', hook.url, ...words], { cwd: cwd() })
    expect(await emit()).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('No contract in force describes an event user.created'),
    })
    await running.rpc('cacp/contract/respond', { contractId: 'User Created', action: 'agree' })
    expect(await emit('--count', '3')).toMatchObject({
      exitCode: 0,
      out: 'user.created (version 1): 202\n'.repeat(3),
    })
    expect(got).toHaveLength(3)
    expect(new Set(got.map(({ id }) => id)).size).toBe(3)
    expect(got[0]).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email: expect.stringContaining('@'),
    })
    expect(await emit('--count', '3')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('answered 500 to event 2 of 3'),
    })
    expect(await emit('--count', '1', '--to', 'http://127.0.0.1:1/')).toMatchObject({
      exitCode: 1,
      err: expect.stringContaining('http://127.0.0.1:1 gave no answer (ECONNREFUSED)'),
    })
  })

  test.each([
    [['--delay', 'soon'], '--delay: must be a time such as 200ms'],
    [['--delay', '61s'], '--delay: must be a time such as 200ms'],
    [['--fail', '101%'], '--fail: must be a share such as 5%'],
    [['--port', '65536'], '--port: must be a whole number from 0 to 65535'],
    [['--emit', 'a'], '--to: say where'],
    [['--emit', 'a', '--to', 'hook'], '--to: must be a URL such as'],
    [['--emit', 'a', '--to', 'http://x/', '--count', '0'], '--count: must be a whole number from 1'],
    [['--seed', 'x'], '--seed: must be a whole number from 0 on'],
  ])('is wrong usage with %j', async (words, problem) => {
    expect(await cacpd(['mock', ...words], { cwd: cwd() })).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining(problem),
    })
  })

  test('says so where the port is taken', async () => {
    const port = new URL(mock.url).port
    expect(await cacpd(['mock', '--port', port], { cwd: cwd() })).toMatchObject({
      exitCode: 1,
      err: expect.stringMatching(
        /Nothing can listen at port \d+ .*EADDRINUSE.*\nnext: Choose another --port/,
      ),
    })
  })
})
