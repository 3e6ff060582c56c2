import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as passing } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DEFAULTS } from '../../../src/config/settings.ts'
import { listen } from '../../../src/http/server/server.ts'
import { daemon, type TestDaemon } from '../../support/daemons/daemon.ts'

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

test('a machine on which many ports are taken is nothing to warn of', async () => {
  const taken = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  try {
    const ports = [...taken.map((server) => (server.address() as AddressInfo).port), 0]
    const door = await listen({ host: '127.0.0.1', ports, limits: DEFAULTS })
    expect(ports).not.toContain(door.port)
    await door.close(0)
    // Warnings are told in the next turn.
    await passing(0)
    expect(warnings).toEqual([])
    await expect(listen({ host: '127.0.0.1', ports: ports.slice(0, 2), limits: DEFAULTS })).rejects.toThrow(
      'are taken',
    )
  } finally {
    process.off('warning', onWarning)
    for (const server of taken) server.close()
  }
})
