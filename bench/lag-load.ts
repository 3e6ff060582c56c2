import { setTimeout as sleep } from 'node:timers/promises'
import { endWithParent, tell } from './child.ts'
import { httpRequest } from './http-request.ts'
import { getContract, proposeSmall } from './material.ts'
import { AskingSocket } from './socket.ts'

/**
 * Writes to one daemon at a steady pace, whether or not it keeps up, and for some of the writes reads at
 * another one, over and over, from the moment of the answer until the contract is there. One read at a time:
 * what is waited for arrives in the order of the writes.
 */
export interface LagJob {
  from: { port: number; key: string }
  to: { port: number; key: string }
  echoPort: number
  projectIds: readonly string[]
  perSecond: number
  /** One write in so many is followed. */
  followEvery: number
  ms: number
}

export interface Lag {
  /** From the answer of the write until the answer of the first read that finds it. */
  lags: number[]
  /** Of the writes themselves. */
  writes: number[]
  /** Of a bare echo of the same read, and of the read of a contract that is there, both under the same load. */
  echoes: number[]
  reads: number[]
  /** Writes per second that were answered. */
  reached: number
}

const RESULT = '{"jsonrpc":"2.0","id":1,"result":'

/** A daemon lets in 1000 at a time and resets whoever comes after: one that stands still would be given so many soon. */
const MOST_CONNECTIONS = 500

/** A connection for everybody who needs one just now. Who finds none waits for one, which is part of its time. */
class Pool {
  readonly #port: number
  readonly #idle: AskingSocket[] = []
  readonly #waiting: ((socket: AskingSocket) => void)[] = []
  #opened = 0

  constructor(port: number) {
    this.#port = port
  }

  async ask(request: string): Promise<string> {
    const socket = this.#idle.pop() ?? (await this.#another())
    const body = await socket.ask(request)
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(socket)
    else next(socket)
    return body
  }

  close(): void {
    for (const socket of this.#idle) socket.close()
  }

  #another(): Promise<AskingSocket> {
    if (this.#opened++ < MOST_CONNECTIONS) return AskingSocket.open(this.#port)
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}

endWithParent()
process.on('message', (job: LagJob) => {
  run(job).then(
    (lag) => tell({ lag }),
    (error: unknown) => tell({ error: String(error) }),
  )
})

async function run({ from, to, echoPort, projectIds, perSecond, followEvery, ms }: LagJob): Promise<Lag> {
  const [writing, reading, echoing] = [new Pool(from.port), new Pool(to.port), new Pool(echoPort)]
  const lag: Lag = { lags: [], writes: [], echoes: [], reads: [], reached: 0 }
  const timed = async <T>(into: number[], ask: () => Promise<T>): Promise<T> => {
    const begin = performance.now()
    const answer = await ask()
    into.push(performance.now() - begin)
    return answer
  }

  const write = async (number: number) => {
    const projectId = projectIds[number % projectIds.length] ?? ''
    const request = httpRequest(proposeSmall(projectId, number), from.key)
    const answer = await timed(lag.writes, () => writing.ask(request))
    if (number % followEvery !== 0) return
    const { result } = JSON.parse(answer) as { result?: { contractId: string } }
    if (result === undefined) throw new Error(`A write failed: ${answer.slice(0, 300)}`)
    const look = httpRequest(getContract(projectId, result.contractId), to.key)
    const answered = performance.now()
    following = following.then(() => follow(look, answered))
  }

  let following = Promise.resolve()
  const follow = async (look: string, answered: number) => {
    while (!(await reading.ask(look)).startsWith(RESULT)) {
      if (performance.now() - answered > 30_000) throw new Error('A write did not arrive within 30 s')
    }
    lag.lags.push(performance.now() - answered)
    // The yardsticks, now, while the machine is as busy as it was.
    await timed(lag.reads, () => reading.ask(look))
    await timed(lag.echoes, () => echoing.ask(look))
  }

  const pending: Promise<void>[] = []
  const begin = performance.now()
  for (let sent = 0; performance.now() - begin < ms; ) {
    const due = ((performance.now() - begin) * perSecond) / 1000
    for (; sent < due; sent++) pending.push(write(sent))
    await sleep(1)
  }
  await Promise.all(pending)
  lag.reached = pending.length / ((performance.now() - begin) / 1000)
  await following
  for (const pool of [writing, reading, echoing]) pool.close()
  return lag
}
