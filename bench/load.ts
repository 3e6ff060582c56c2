import { connect, type Socket } from 'node:net'
import { endWithParent, tell } from './child.ts'

/**
 * The load generator, a process of its own so that it takes no time from what it measures. Raw sockets and
 * requests that are serialized once: it has to be much faster than any server it drives.
 */
export interface Job {
  port: number
  /** Each has one request in flight. */
  connections: number
  /** Whole HTTP requests; every connection sends them in turn, each beginning with another one. */
  requests: string[]
  /** What every answer must be: a JSON-RPC result, or the body of its request. */
  expect: 'result' | 'echo'
  /** How long new requests are sent; those in flight are waited for, and all of that time counts. */
  ms?: number
  /** Or how many. */
  count?: number
}

export interface Load {
  count: number
  seconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** Of the last answer's body. */
  answerBytes: number
}

const RESULT = '{"jsonrpc":"2.0","id":1,"result":'

endWithParent()
process.on('message', (job: Job) => {
  run(job).then(
    (load) => tell({ load }),
    (error: unknown) => tell({ error: String(error) }),
  )
})

async function run({
  port,
  connections,
  requests,
  expect,
  ms = Infinity,
  count = Infinity,
}: Job): Promise<Load> {
  const prepared = requests.map((text) => prepare(text, expect))
  const clients = await Promise.all(
    Array.from({ length: connections }, (_, index) => Client.open(port, prepared, index)),
  )
  const took: number[] = []
  const begin = performance.now()
  let sent = 0
  const mayGoOn = () => sent++ < count && performance.now() - begin < ms
  await Promise.all(clients.map((client) => client.work(mayGoOn, took)))
  const seconds = (performance.now() - begin) / 1000
  for (const client of clients) client.close()

  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN
  return {
    count: took.length,
    seconds,
    perSecond: took.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    answerBytes: clients[0]?.answerBytes ?? 0,
  }
}

interface Prepared {
  bytes: Buffer
  /** How the answer's body must begin. */
  answer: Buffer
}

function prepare(text: string, expect: Job['expect']): Prepared {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4)
  return { bytes: Buffer.from(text), answer: Buffer.from(expect === 'echo' ? body : RESULT) }
}

class Client {
  readonly #socket: Socket
  readonly #requests: Prepared[]
  #turn: number
  #received: Buffer | undefined
  #whenAnswered: () => void = () => {}
  #whenFailed: (error: Error) => void = () => {}
  answerBytes = 0

  static open(port: number, requests: Prepared[], turn: number): Promise<Client> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new Client(socket, requests, turn)))
    })
  }

  private constructor(socket: Socket, requests: Prepared[], turn: number) {
    this.#socket = socket
    this.#requests = requests
    this.#turn = turn
    socket.on('data', (chunk) => this.#take(chunk))
    socket.on('error', (error) => this.#whenFailed(error))
    socket.on('close', () => this.#whenFailed(new Error('The server closed a connection')))
  }

  /** One request after the other for as long as it may; ends when the last one is answered. */
  work(mayGoOn: () => boolean, took: number[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#whenFailed = reject
      let begin = 0
      const next = () => {
        if (!mayGoOn()) return resolve()
        begin = performance.now()
        this.#socket.write(this.#current.bytes)
      }
      this.#whenAnswered = () => {
        took.push(performance.now() - begin)
        this.#turn += 1
        next()
      }
      next()
    })
  }

  close(): void {
    this.#whenFailed = () => {}
    this.#socket.destroy()
  }

  get #current(): Prepared {
    const request = this.#requests[this.#turn % this.#requests.length]
    if (request === undefined) throw new TypeError('a connection needs at least one request')
    return request
  }

  #take(chunk: Buffer): void {
    this.#received = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk])
    try {
      const bodyBytes = bodyBytesOf(this.#received, this.#current.answer)
      if (bodyBytes === undefined) return
      this.#received = undefined
      this.answerBytes = bodyBytes
      this.#whenAnswered()
    } catch (error) {
      this.#whenFailed(error as Error)
    }
  }
}

/** Undefined while the answer is not complete. Throws when it is wrong: a figure from errors is worthless. */
function bodyBytesOf(received: Buffer, answer: Buffer): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  const bodyStart = headEnd + 4
  if (received.length < bodyStart + length) return undefined
  const isRight =
    head.startsWith('HTTP/1.1 200 ') &&
    received.length === bodyStart + length &&
    received.compare(answer, 0, answer.length, bodyStart, bodyStart + answer.length) === 0
  if (!isRight) throw new Error(`A wrong answer, so no figure: ${received.toString('utf8', 0, 600)}`)
  return length
}
