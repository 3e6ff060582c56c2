import type { Socket } from 'node:net'

export interface Answer {
  readonly status: number
  readonly text: string
}

/** Many requests on one connection without waiting, and what came back for each. */
export class Wire {
  readonly #socket: Socket
  readonly #waiting: { resolve: (answer: Answer) => void; reject: (error: Error) => void }[] = []
  #rest: Buffer = Buffer.alloc(0)

  constructor(socket: Socket) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => this.#read(chunk))
    socket.on('close', () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error('the connection was closed'))
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  send(request: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.isOpen) return reject(new Error('the connection was closed'))
      this.#waiting.push({ resolve, reject })
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    for (;;) {
      const end = this.#rest.indexOf('\r\n\r\n')
      if (end < 0) return
      const head = this.#rest.subarray(0, end).toString('latin1')
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      const whole = end + 4 + length
      if (this.#rest.length < whole) return
      const text = `${head}\r\n\r\n${this.#rest.subarray(end + 4, whole).toString('utf8')}`
      this.#rest = this.#rest.subarray(whole)
      this.#waiting.shift()?.resolve({ status: Number(head.slice(9, 12)), text })
    }
  }
}
