import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent, tell } from './child.ts'
import { httpRequest } from './http-request.ts'
import { nameOf, proposeSmall } from './material.ts'
import { AskingSocket } from './socket.ts'

/** Many follow what changes while writes come at a steady pace, whether or not the server keeps up. */
export interface CrowdJob {
  port: number
  key: string
  projectIds: readonly string[]
  readers: number
  perSecond: number
  ms: number
}

export interface Crowd {
  /** Of each write, from when it was due until its answer. */
  writes: number[]
  /** From when a write was due until one of the readers had its event. */
  arrivals: number[]
  /** Writes per second that were answered. */
  reached: number
  /** Of all events that the readers should have had, those they had at the end. */
  delivered: number
}

endWithParent()
process.on('message', (job: CrowdJob) => {
  run(job).then(
    (crowd) => tell({ crowd }),
    (error: unknown) => tell({ error: String(error) }),
  )
})

const EVENT_END = Buffer.from('\n\n')

/** Follows the changes and counts them. */
class Reader {
  readonly #socket: Socket
  #left: Buffer = Buffer.alloc(0)
  events = 0

  static async open(port: number, key: string, heard?: (text: string) => void): Promise<Reader> {
    const socket = connect({ port, host: '127.0.0.1' })
    const reader = new Reader(socket, heard)
    await new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.once('data', resolve)
      socket.write(`GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\n\r\n`)
    })
    return reader
  }

  private constructor(socket: Socket, heard: ((text: string) => void) | undefined) {
    this.#socket = socket
    socket.on('data', (chunk: Buffer) => {
      heard?.(chunk.toString('latin1'))
      this.#left = this.#left.length === 0 ? chunk : Buffer.concat([this.#left, chunk])
      let begin = 0
      for (;;) {
        const end = this.#left.indexOf(EVENT_END, begin)
        if (end === -1) break
        if (this.#left.subarray(begin, end).includes(PROPOSED)) this.events++
        begin = end + EVENT_END.length
      }
      this.#left = this.#left.subarray(begin)
    })
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Part of the name of everything that is written. */
const PROPOSED = nameOf(0).slice(0, -1)
const NUMBERED = new RegExp(`"${PROPOSED}(\\d+)"`, 'g')

async function run({ port, key, projectIds, readers: count, perSecond, ms }: CrowdJob): Promise<Crowd> {
  const due = new Map<number, number>()
  const arrivals: number[] = []
  const heard = (text: string) => {
    for (const [, number] of text.matchAll(NUMBERED)) {
      const at = due.get(Number(number))
      if (at !== undefined && due.delete(Number(number))) arrivals.push(performance.now() - at)
    }
  }
  const readers = [await Reader.open(port, key, heard)]
  while (readers.length < count) readers.push(await Reader.open(port, key))

  const idle: AskingSocket[] = []
  const writes: number[] = []
  const write = async (number: number, at: number) => {
    due.set(number, at)
    const socket = idle.pop() ?? (await AskingSocket.open(port))
    const projectId = projectIds[number % projectIds.length] ?? ''
    const answer = await socket.ask(httpRequest(proposeSmall(projectId, number), key))
    if (answer.includes('"error"')) throw new Error(`A write failed: ${answer.slice(0, 300)}`)
    writes.push(performance.now() - at)
    idle.push(socket)
  }
  const pending: Promise<void>[] = []
  const begin = performance.now()
  while (performance.now() - begin < ms) {
    const wanted = ((performance.now() - begin) * perSecond) / 1000
    while (pending.length < wanted) {
      const number = pending.length
      pending.push(write(1_000_000 + number, begin + (number * 1000) / perSecond))
    }
    await sleep(1)
  }
  await Promise.all(pending)
  const reached = pending.length / ((performance.now() - begin) / 1000)
  const expected = pending.length * count
  const delivered = () => readers.reduce((sum, { events }) => sum + events, 0)
  const patience = performance.now() + 20_000
  while (delivered() < expected && performance.now() < patience) await sleep(20)
  const crowd = { writes, arrivals, reached, delivered: delivered() / expected }
  for (const one of [...readers, ...idle]) one.close()
  return crowd
}
