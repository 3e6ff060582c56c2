import { execFileSync } from 'node:child_process'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { request } from 'undici'
import { expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { type DaemonProcess, startProcess } from '../support/daemons/process.ts'
import { type Folder, folderWith } from '../support/folders/folder.ts'
import { head, rawConnection } from './raw.ts'

const MIB = 1024 * 1024
const BOUND = { timeout: 30_000, interval: 100 }

/** What the process has in memory, in MiB. */
const memoryOf = ({ child }: DaemonProcess): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)], { encoding: 'utf8' })) / 1024

/** The settings stand in a file, as a user would write them. */
const folderFor = (settings: object): Promise<Folder> =>
  folderWith({ '.cacp/config.json': JSON.stringify(settings) })

// biome-ignore lint/suspicious/noExplicitAny: results of several methods
type Answer = { status: number; headers: Record<string, unknown>; json: any }

async function ask(url: string, headers: Record<string, string>, body: unknown): Promise<Answer> {
  const reply = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return { status: reply.statusCode, headers: reply.headers, json: await reply.body.json() }
}

const call = (method: string, params: object = {}, id = 1) => ({ jsonrpc: '2.0', id, method, params })

const isClosed = (socket: Socket): boolean => socket.destroyed || socket.readableEnded

/** Asks and never reads a byte of the answer. */
async function askAndNeverRead(url: string, headers: string, body: unknown): Promise<Socket> {
  const socket = await rawConnection({ url })
  socket.pause()
  const text = JSON.stringify(body)
  const { host } = new URL(url)
  socket.write(
    `POST / HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
  )
  return socket
}

test('a guest that asks for a large project on many connections and reads none of it takes no memory to speak of, and keeps nobody from being served', async () => {
  await using folder = await folderFor({
    unreadBytesPerCaller: 24 * MIB,
    unreadBytes: 64 * MIB,
    unreadSeconds: 10,
  })
  const running = await startProcess(join(folder.path, '.cacp'), ['--port', '0'])
  const readers: Socket[] = []
  try {
    const { url } = running
    const operator = { authorization: `Bearer ${running.key}` }
    const rpc = async (method: string, params: object = {}) => {
      const { json } = await ask(url, operator, call(method, params))
      if (json.error !== undefined) throw new Error(json.error.message)
      return json.result
    }
    const { projectId } = await rpc('cacp/project/create', { name: 'Large', objective: 'o' })
    for (let number = 0; number < 28; number++)
      await rpc('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: `Contract ${number}`,
        content: { text: 'x'.repeat(250_000) },
      })
    const { token } = await rpc('cacp/token/issue', { projectId, permissions: ['project:read'] })
    const guest = { 'x-project-token': token }
    const get = call('cacp/project/get', { projectId })
    const whole = await ask(url, guest, get)
    expect(whole.json.result.contracts).toHaveLength(28)
    const before = memoryOf(running)

    // More than the buffers of a connection take: 56 MB each.
    const batch = Array.from({ length: 8 }, (_, id) => ({ ...get, id }))
    let peak = before
    let refused: Answer | undefined
    for (let number = 0; number < 30; number++) {
      readers.push(await askAndNeverRead(url, `X-Project-Token: ${token}`, batch))
      // Another state, and so another text, every other connection.
      if (number % 2 === 0) await rpc('cacp/context/askQuestion', { projectId, question: `${number}?` })
      expect((await rpc('cacp/project/overview')).projects).toHaveLength(1)
      peak = Math.max(peak, memoryOf(running))
      const answer = await ask(url, guest, get)
      if (answer.status === 429) refused ??= answer
    }
    expect(refused?.headers['retry-after']).toBe('10')
    expect(refused?.json.error.data).toMatchObject({ kind: 'rate_limited', limit: 'unreadBytesPerCaller' })
    expect(peak - before).toBeLessThan(500)

    await expect.poll(() => isServed(ask(url, guest, get)), { ...BOUND, timeout: 60_000 }).toBe(true)
    const [first] = readers
    first?.resume()
    await expect.poll(() => first !== undefined && isClosed(first), BOUND).toBe(true)
  } finally {
    for (const reader of readers) reader.destroy()
    await running.stop('SIGKILL')
  }
}, 120_000)

const isServed = async (answer: Promise<Answer>): Promise<boolean> => (await answer).status === 200

test('a large answer arrives whole, in every alphabet, and however slowly it is read', async () => {
  await using backend = await daemon({ unreadSeconds: 2 })
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'Large', objective: 'o' })
  for (let number = 0; number < 8; number++)
    await backend.rpc('cacp/contract/propose', {
      projectId,
      type: 'custom',
      name: `Contract ${number}`,
      content: { text: `${'a'.repeat(number)}${'äß→🦊'.repeat(20_000)}` },
    })
  const get = call('cacp/project/get', { projectId })
  const expected = (await backend.post(get)).json.result
  expect(expected.contracts[7].content.text).toBe(`aaaaaaa${'äß→🦊'.repeat(20_000)}`)

  const body = JSON.stringify(Array.from({ length: 20 }, (_, id) => ({ ...get, id })))
  const socket = await rawConnection(backend)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    // With a pause now and then, as on a bad line.
    if (chunks.length % 200 !== 0) return
    socket.pause()
    setTimeout(() => socket.resume(), 50)
  })
  socket.write(`${head(backend)}Connection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  await expect.poll(() => isClosed(socket), BOUND).toBe(true)
  const answer = Buffer.concat(chunks)
  const answers = JSON.parse(answer.toString('utf8', answer.indexOf('\r\n\r\n') + 4))
  expect(answers).toEqual(Array.from({ length: 20 }, (_, id) => ({ jsonrpc: '2.0', id, result: expected })))
})

test.each([
  ['events', async () => '/events?since='],
  [
    'a file',
    async (backend: Awaited<ReturnType<typeof daemon>>) => {
      const { json } = await backend.fetch('/files', {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.alloc(10_000_000, 'x'),
      })
      return `/files/${json.sha256}`
    },
  ],
])('a connection that is sent %s and takes nothing of it is closed', async (what, prepare) => {
  await using backend = await daemon({ unreadSeconds: 1 })
  const path = await prepare(backend)
  let query = ''
  if (what === 'events') {
    const { projectId } = await backend.rpc('cacp/project/create', { name: 'Large', objective: 'o' })
    query = (await backend.rpc('cacp/feed/read', { limit: 1 })).cursor
    for (let number = 0; number < 60; number++)
      await backend.rpc('cacp/contract/propose', {
        projectId,
        type: 'custom',
        name: `Contract ${number}`,
        content: { text: 'x'.repeat(250_000) },
      })
  }
  const socket = await rawConnection(backend)
  socket.pause()
  let isGone = false
  socket.on('close', () => {
    isGone = true
  })
  socket.write(
    `GET ${path}${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${backend.key}\r\n\r\n`,
  )
  // A reset is noticed by whoever writes, without reading.
  const knock = setInterval(() => socket.write('\r\n'), 100)
  try {
    await expect.poll(() => isGone, BOUND).toBe(true)
  } finally {
    clearInterval(knock)
    socket.destroy()
  }
})

test('what agents leave unread at /mcp counts like everything else', async () => {
  await using backend = await daemon({ unreadBytesPerCaller: MIB / 16 })
  const { projectId } = await backend.rpc('cacp/project/create', { name: 'Large', objective: 'o' })
  const content = { text: 'x'.repeat(250_000) }
  const proposal = { projectId, type: 'custom', name: 'Large', content }
  const { contractId } = await backend.rpc('cacp/contract/propose', proposal)
  const body = JSON.stringify(call('resources/read', { uri: `cacp://contract/${projectId}/${contractId}` }))
  const accept = 'Accept: application/json, text/event-stream\r\n'
  const socket = await rawConnection(backend)
  socket.pause()
  const request = `${head(backend, '/mcp', accept)}Content-Length: ${body.length}\r\n\r\n${body}`
  const askAgain = () => backend.post(call('cacp/project/overview'))
  try {
    // Some megabytes are taken by the connection itself, so it is asked again until that is full.
    const askMore = async () => {
      socket.write(request.repeat(20))
      return (await askAgain()).status
    }
    await expect.poll(askMore, BOUND).toBe(429)
    expect((await backend.fetch('/health', { headers: { authorization: '' } })).status).toBe(200)
    socket.destroy()
    await expect.poll(async () => (await askAgain()).status, BOUND).toBe(200)
  } finally {
    socket.destroy()
  }
})
