import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A TCP proxy on the loopback interface that counts what passes, both ways: a wire with a meter. */
export class Wire implements Disposable {
  readonly url: string
  bytes = 0
  #to: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  static async to(port: number): Promise<Wire> {
    const server = createServer({ noDelay: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Wire(server, port)
  }

  private constructor(server: Server, to: number) {
    this.#server = server
    this.#to = to
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (near) => this.#join(near))
  }

  /** New connections go there. */
  turnTo(port: number): void {
    this.#to = port
  }

  [Symbol.dispose](): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  #join(near: Socket): void {
    const far = connect({ port: this.#to, host: '127.0.0.1', noDelay: true })
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#sockets.add(from)
      from.on('data', (chunk) => {
        this.bytes += chunk.length
      })
      from.pipe(into)
      from.on('error', () => into.destroy())
      from.on('close', () => {
        this.#sockets.delete(from)
        into.destroy()
      })
    }
  }
}
