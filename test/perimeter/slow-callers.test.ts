import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { daemon } from '../support/daemons/daemon.ts'
import { head, rawConnection, slowestCall } from './raw.ts'

/** Generous, because the machine may be busy; what is not answered at all takes far longer. */
const SOON_MILLIS = 2000
const BOUND = { timeout: 15_000, interval: 50 }

const stillOpen = (sockets: readonly Socket[]): number =>
  sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length

/** Keeps all of them alive with a byte now and then, until they are closed. */
function trickle(sockets: readonly Socket[], byte: string): () => void {
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(byte)
  }, 100)
  for (const socket of sockets) socket.resume()
  return () => {
    clearInterval(timer)
    for (const socket of sockets) socket.destroy()
  }
}

describe('callers who never get to the end', () => {
  test.each([
    ['say nothing at all', '', ''],
    ['send their headers a letter at a time', 'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ', 'a'],
    [
      'send their body a letter at a time',
      'POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n[',
      ' ',
    ],
  ])('and %s are cut off, and others are answered meanwhile', async (_what, beginning, byte) => {
    await using backend = await daemon({ headerSeconds: 1, requestSeconds: 2, ratePerStranger: 1_000_000 })
    const slow = await Promise.all(Array.from({ length: 200 }, () => rawConnection(backend)))
    for (const socket of slow) socket.write(beginning)
    const stop = trickle(slow, byte)
    try {
      expect(await slowestCall(backend)).toBeLessThan(SOON_MILLIS)
      await expect.poll(() => stillOpen(slow), BOUND).toBe(0)
    } finally {
      stop()
    }
  })

  test('and are more than there is room for give way to whoever comes to call', async () => {
    await using backend = await daemon({ maxConnections: 50 })
    const slow: Socket[] = []
    for (let n = 0; n < 300; n++) {
      slow.push(await rawConnection(backend))
      slow.at(-1)?.write('GET / HTTP/1.1\r\n')
    }
    const stop = trickle(slow, 'X: y\r\n')
    try {
      await expect.poll(() => stillOpen(slow), BOUND).toBeLessThanOrEqual(50)
      expect(await slowestCall(backend)).toBeLessThan(SOON_MILLIS)
    } finally {
      stop()
    }
  })

  test('do not push out a caller with a key that is only quiet', async () => {
    await using backend = await daemon({ maxConnections: 20 })
    const known = await rawConnection(backend)
    const body = '{"jsonrpc":"2.0","id":1,"method":"cacp/project/list"}'
    let heard = ''
    known.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1')
    })
    const call = `${head(backend)}Content-Length: ${body.length}\r\n\r\n${body}`
    known.write(call)
    await expect.poll(() => heard, BOUND).toContain('"projects":[]')
    const others = await Promise.all(Array.from({ length: 100 }, () => rawConnection(backend)))
    const stop = trickle(others, 'G')
    try {
      await expect.poll(() => stillOpen(others), BOUND).toBeLessThanOrEqual(20)
      heard = ''
      known.write(call)
      await expect.poll(() => heard, BOUND).toContain('"projects":[]')
    } finally {
      stop()
      known.destroy()
    }
  })
})

test('a thousand requests sent at once on one connection are answered in order, and nobody else waits', async () => {
  await using backend = await daemon()
  const socket = await rawConnection(backend)
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
  })
  const ids = Array.from({ length: 1000 }, (_, id) => id)
  for (const id of ids) {
    const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'cacp/project/list' })
    socket.write(`${head(backend)}Content-Length: ${body.length}\r\n\r\n${body}`)
  }
  expect(await slowestCall(backend, 5)).toBeLessThan(SOON_MILLIS)
  await expect.poll(() => heard.match(/"id":\d+/g)?.length, BOUND).toBe(1000)
  expect(heard.match(/"id":\d+/g)).toEqual(ids.map((id) => `"id":${id}`))
  socket.destroy()
})

test('strangers who send a thousand at once are told to slow down', async () => {
  await using backend = await daemon({ ratePerStranger: 60 })
  const socket = await rawConnection(backend)
  let heard = ''
  socket.on('data', (chunk: Buffer) => {
    heard += chunk.toString('latin1')
  })
  socket.write('GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'.repeat(1000))
  await expect.poll(() => heard.match(/HTTP\/1\.1 \d+/g)?.length, BOUND).toBe(1000)
  expect(heard.match(/HTTP\/1\.1 429/g)?.length).toBeGreaterThan(900)
  expect(await slowestCall(backend, 5)).toBeLessThan(SOON_MILLIS)
  socket.destroy()
})
