import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { TestDaemon } from '../support/daemons/daemon.ts'

/** A bare connection to a daemon, for what no HTTP client would send. */
export async function rawConnection({ url }: Pick<TestDaemon, 'url'>): Promise<Socket> {
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname.replace(/^\[|\]$/g, ''))
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Everything that comes back until the other side is done, or nothing more comes for so long. */
export async function answerTo(socket: Socket, bytes: string | Buffer, quietMillis = 5000): Promise<string> {
  const chunks: Buffer[] = []
  socket.setTimeout(quietMillis, () => socket.destroy())
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const closed = once(socket, 'close')
  socket.write(bytes)
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

export const head = ({ url, key }: Pick<TestDaemon, 'url' | 'key'>, path = '/', more = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: ${new URL(url).host}\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\n${more}`

/** How long a legitimate call takes at worst, of so many in a row. */
export async function slowestCall(backend: TestDaemon, calls = 20): Promise<number> {
  let slowest = 0
  for (let n = 0; n < calls; n++) {
    const before = performance.now()
    await backend.rpc('cacp/project/list')
    slowest = Math.max(slowest, performance.now() - before)
  }
  return slowest
}
