import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { answerTo, head, rawConnection, slowestCall } from './raw.ts'

const GIB = 1024 ** 3
const MIB = 1024 ** 2

/** Sends zeros until so many are sent or nobody takes them any more; answers how many were. */
async function pour(
  socket: Socket,
  bytes: number,
  wrap: (chunk: Buffer) => Buffer = (chunk) => chunk,
): Promise<number> {
  const chunk = wrap(Buffer.alloc(64 * 1024, ' '))
  const over = new Promise((resolve) => socket.once('close', () => resolve('over')))
  let sent = 0
  while (sent < bytes) {
    if (socket.destroyed) break
    const hasRoom = socket.write(chunk)
    sent += chunk.length
    if (!hasRoom) await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), over])
  }
  return sent
}

const chunked = (chunk: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])

describe('a body of a gibibyte', () => {
  const announced = `Content-Length: ${GIB}\r\n\r\n`
  const unannounced = 'Transfer-Encoding: chunked\r\n\r\n'

  test.each([
    ['at the door', '/', announced, undefined],
    ['at the door, without saying so', '/', unannounced, chunked],
    ['where peers register', '/peers/register', announced, undefined],
    ['where peers register, without saying so', '/peers/register', unannounced, chunked],
    ['where files go, without saying so', '/files', unannounced, chunked],
    ['where files go', '/files', announced, undefined],
    ['where nothing is', '/nothing', unannounced, chunked],
    ['where nothing is to be sent', '/health', unannounced, chunked],
  ])('%s is refused early, with memory and other callers as before', async (_where, path, lengths, wrap) => {
    await using backend = await daemon()
    await slowestCall(backend, 3)
    const { bytes } = (await backend.fetch('/health')).json.store
    const before = process.memoryUsage().rss
    const socket = await rawConnection(backend)
    let heard = ''
    socket.on('data', (data: Buffer) => {
      heard += data.toString('latin1')
    })
    const type = path === '/files' ? 'application/octet-stream' : 'application/json'
    socket.write(head(backend, path, lengths).replace('application/json', type))
    const pouring = pour(socket, GIB, wrap)
    expect(await slowestCall(backend, 10)).toBeLessThan(2000)
    expect(await pouring).toBeLessThan(64 * MIB)
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * MIB)
    expect(heard).not.toMatch(/^HTTP\/1\.1 5/)
    expect((await backend.fetch('/health')).json.store.bytes).toBe(bytes)
  })
})

describe('headers', () => {
  test('of more than 16 KiB are 431', async () => {
    await using backend = await daemon()
    const socket = await rawConnection(backend)
    expect(await answerTo(socket, head(backend, '/', `X-Big: ${'a'.repeat(20_000)}\r\n\r\n`))).toMatch(
      /^HTTP\/1\.1 431/,
    )
  })

  test('more than a hundred are 431, at the door and behind it', async () => {
    await using backend = await daemon()
    const many = Array.from({ length: 200 }, (_, n) => `X-${n}: 1\r\n`).join('')
    for (const path of ['/', '/health', '/nothing']) {
      const socket = await rawConnection(backend)
      const answer = await answerTo(
        socket,
        head(backend, path, `${many}Content-Length: 0\r\nConnection: close\r\n\r\n`),
      )
      expect(answer).toMatch(/^HTTP\/1\.1 431[\s\S]+more than 100 headers/)
    }
  })

  test.each([
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde'],
    ['a length that is none', 'Content-Length: -1\r\n\r\n'],
    ['a line that goes on in the next', 'X-A: b\r\n c\r\n\r\n'],
    ['a space before the colon', 'X-A : b\r\n\r\n'],
    ['a line feed alone', 'X-A: b\nX-C: d\r\n\r\n'],
    ['a name that is none', 'X(A): b\r\n\r\n'],
    ['a zero byte', 'X-A: b\0c\r\n\r\n'],
  ])('with %s are 400, and nothing behind them is read as another request', async (_what, rest) => {
    await using backend = await daemon()
    const socket = await rawConnection(backend)
    const smuggled = `GET /smuggled HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
    const answer = await answerTo(socket, head(backend, '/', rest) + smuggled, 1000)
    expect(answer).toMatch(/^HTTP\/1\.1 400/)
    expect(answer).not.toContain('smuggled')
  })
})
