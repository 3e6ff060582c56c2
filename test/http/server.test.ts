import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as passing } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { daemon, type TestDaemon } from '../support/daemon.ts'

const BODY = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'cacp/project/list' })

/** A request whose last byte is still to come. */
async function almostSent({ url, key }: TestDaemon, path: string): Promise<Socket> {
  const { port, host, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, -1)}`,
  )
  await passing(100)
  return socket
}

test.each(['/', '/peers/register'])(
  'what is in flight at %s when the daemon stops is answered, and its connection is not waited for',
  async (path) => {
    const backend = await daemon()
    const socket = await almostSent(backend, path)
    const before = performance.now()
    const stopped = backend[Symbol.asyncDispose]()
    await passing(100)
    socket.write(BODY.slice(-1))
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 [24]00[\s\S]+connection: close/i)
    await stopped
    expect(performance.now() - before).toBeLessThan(2000)
  },
)
