import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The way from a browser to a daemon, as a forwarded port is. */
export interface Line extends AsyncDisposable {
  /** Where the daemon is at this end of it. */
  readonly url: string
  /** Nothing comes any more by the connections that there are, as after a sleep; only who sends something notices. */
  silence(): void
}

export async function openLine(daemonUrl: string): Promise<Line> {
  const { hostname, port } = new URL(daemonUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from))
      from.pipe(to)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    silence() {
      for (const socket of sockets)
        socket
          .unpipe()
          .on('data', () => socket.destroy())
          .resume()
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
