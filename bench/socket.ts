import { connect, type Socket } from 'node:net'

/** One connection with one request in flight: what a round trip costs, and nothing besides. */
export class AskingSocket {
  readonly #socket: Socket
  #received: Buffer = Buffer.alloc(0)
  #answered: (body: string) => void = () => {}
  #failed: (error: Error) => void = () => {}

  static open(port: number): Promise<AskingSocket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new AskingSocket(socket)))
    })
  }

  private constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#failed(error))
    socket.on('close', () => this.#failed(new Error('The server closed a connection')))
  }

  /** The body of the answer to a whole HTTP request. */
  ask(request: string): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#answered = resolve
      this.#failed = reject
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#failed = () => {}
    this.#socket.destroy()
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk])
    const headEnd = this.#received.indexOf('\r\n\r\n')
    if (headEnd === -1) return
    const head = this.#received.toString('latin1', 0, headEnd)
    const bodyStart = headEnd + 4
    const bodyEnd = bodyStart + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    if (this.#received.length < bodyEnd) return
    const body = this.#received.toString('utf8', bodyStart, bodyEnd)
    this.#received = Buffer.alloc(0)
    this.#answered(body)
  }
}
