import { type KeyObject, sign } from 'node:crypto'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'

const signInPool = promisify(sign) as (algorithm: null, data: Uint8Array, key: KeyObject) => Promise<Buffer>

const THREAD = `
const { sign } = require('node:crypto')
const { parentPort } = require('node:worker_threads')
parentPort.on('message', ({ key, texts }) => {
  parentPort.postMessage(texts.map((text) => sign(null, Buffer.from(text), key).toString('base64url')))
})
`
const MEMORY_MB = 32

/**
 * How many orders the thread has at once: the one that it works on and the next. Later requests are collected into
 * one order.
 */
const MOST_ORDERS = 2

/** From this number of signatures on, the thread is used: handing one to the pool costs half as much as signing it. */
const MANY = 4

interface SignRequest {
  readonly text: string
  readonly resolve: (signature: string) => void
  readonly reject: (error: unknown) => void
}

interface Order {
  readonly key: KeyObject
  readonly requests: readonly SignRequest[]
}

/**
 * Signs on other threads. If many signatures are requested in one turn of the event loop, they go to one thread in a
 * single message. That thread is started when it is first needed; without it, the thread pool of the process signs.
 */
export function createSigning(startThread: () => Worker = signingThread) {
  let asked = new Map<KeyObject, SignRequest[]>()
  /** With the thread, which answers them in their order. */
  const ordered: Order[] = []
  let thread: Worker | undefined
  let hasThreadFailed = false

  /** Makes an Ed25519 signature of a text, in base64url. */
  return (text: string, key: KeyObject): Promise<string> =>
    new Promise((resolve, reject) => {
      if (asked.size === 0 && ordered.length < MOST_ORDERS) setImmediate(handOver)
      getOrAdd(asked, key, () => []).push({ text, resolve, reject })
    })

  function handOver(): void {
    const orders = asked
    asked = new Map()
    for (const [key, requests] of orders)
      if (hasThreadFailed || requests.length < MANY) signEach({ key, requests })
      else orderFromThread({ key, requests })
  }

  function signEach({ key, requests }: Order): void {
    for (const { text, resolve, reject } of requests)
      signInPool(null, Buffer.from(text), key).then((made) => resolve(made.toString('base64url')), reject)
  }

  function orderFromThread(order: Order): void {
    ordered.push(order)
    try {
      thread ??= watched(startThread())
      // The thread keeps the process alive only while it has unanswered orders.
      thread.ref()
      thread.postMessage({ key: order.key, texts: order.requests.map(({ text }) => text) })
    } catch {
      giveUpThread()
    }
  }

  function watched(made: Worker): Worker {
    made.on('message', (signatures: readonly string[]) => {
      const { requests = [] } = ordered.shift() ?? {}
      requests.forEach(({ resolve }, index) => void resolve(signatures[index] ?? ''))
      handOver()
      if (ordered.length === 0) made.unref()
    })
    made.on('error', giveUpThread)
    made.on('exit', giveUpThread)
    return made
  }

  function giveUpThread(): void {
    hasThreadFailed = true
    for (const order of ordered.splice(0)) signEach(order)
    handOver()
  }
}

function signingThread(): Worker {
  return new Worker(THREAD, {
    eval: true,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  })
}
