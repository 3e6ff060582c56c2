import type { Msg } from '@nats-io/transport-node'
import { hubFault } from '../../domain/hub/trouble.ts'
import { STATEMENT_LIMITS } from '../../domain/statements/statement.ts'
import type { StoredMessage } from '../../engine/ports/hub.ts'
import type { Fault } from '../../protocol/fault.ts'
import { stampOfMillis } from '../../protocol/stamp.ts'
import type { Connected } from './connect.ts'
import type { Nats } from './load-nats.ts'
import { type At, natsFault } from './nats-fault.ts'

export interface Pulling extends Connected {
  readonly nats: Nats
  readonly ended: Promise<Fault>
  readonly stream: string
  readonly at: At
}

export const NANOS_PER_MILLI = 1_000_000
/** Most that is asked for at once. The next request goes out while the reader looks at what came with the last one. */
const BATCH = { messages: 1000, bytes: 8 * 1024 * 1024 }
const HEARTBEAT_MILLIS = 3000
/** So many heartbeats may be missing; each is counted by our own timer, which stands still while we are asleep. */
const MOST_MISSED = 2
const EXPIRES_MILLIS = 30_000

/** Asks for batches, and hands over what has come. What is held is one batch being read and one that arrives. */
export class Pull {
  readonly #reading: Pulling
  readonly #consumer: string
  readonly #inbox: string
  readonly #subscription: { unsubscribe(): void }
  readonly #timer: NodeJS.Timeout
  readonly #most: typeof BATCH
  #arrived: StoredMessage[] = []
  #pending = Number.POSITIVE_INFINITY
  #delivered = 0
  /** Messages that the request under way may still bring; 0 when it is over. */
  #expected = 0
  #missed = 0
  #failure: Fault | undefined
  #isOver = false
  #wake = () => {}

  constructor(reading: Pulling, consumer: string) {
    const { nats, connection } = reading
    this.#reading = reading
    this.#consumer = consumer
    // Every message of the server fits into a batch, however large it lets them be.
    const largest = 2 * (connection.info?.max_payload ?? 0)
    this.#most = { ...BATCH, bytes: Math.max(BATCH.bytes, largest) }
    this.#inbox = nats.createInbox(reading.inboxPrefix)
    this.#subscription = connection.subscribe(this.#inbox, {
      callback: (error, message) => {
        if (error) this.#fail(natsFault(nats, error, reading.at))
        else this.#receive(message)
      },
    })
    void reading.ended.then((fault) => this.#fail(fault))
    this.#timer = setInterval(() => this.#countMissed(), HEARTBEAT_MILLIS)
    this.#timer.unref()
  }

  /** What has come, as soon as there is something; nothing at the end. `isLast`: the stream had no more by then. */
  async next(): Promise<{ messages: readonly StoredMessage[]; isLast: boolean }> {
    this.#ask()
    while (this.#arrived.length === 0 && this.#failure === undefined && !this.#isOver)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    const messages = this.#arrived
    if (messages.length === 0 && this.#failure !== undefined) throw this.#failure
    this.#arrived = []
    this.#ask()
    return { messages, isLast: this.#pending === 0 }
  }

  end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearInterval(this.#timer)
    this.#subscription.unsubscribe()
    this.#wake()
  }

  #ask(): void {
    const { connection, stream, nats, at } = this.#reading
    if (this.#expected > 0 || this.#arrived.length > 0 || this.#failure !== undefined || this.#isOver) return
    this.#expected = this.#most.messages
    const request = {
      batch: this.#most.messages,
      max_bytes: this.#most.bytes,
      expires: EXPIRES_MILLIS * NANOS_PER_MILLI,
      idle_heartbeat: HEARTBEAT_MILLIS * NANOS_PER_MILLI,
    }
    try {
      connection.publish(`$JS.API.CONSUMER.MSG.NEXT.${stream}.${this.#consumer}`, JSON.stringify(request), {
        reply: this.#inbox,
      })
    } catch (error) {
      this.#fail(natsFault(nats, error, at))
    }
  }

  #receive(message: Msg): void {
    this.#missed = 0
    const delivery = deliveryOf(message.reply)
    if (delivery === undefined) this.#receiveStatus(message)
    else if (delivery.delivered !== this.#delivered + 1) this.#fail(lost(this.#reading.at))
    else {
      this.#delivered++
      this.#expected--
      this.#pending = delivery.pending
      this.#arrived.push(storedMessage(message, delivery))
    }
    this.#wake()
  }

  #receiveStatus({ headers }: Msg): void {
    const code = headers?.code ?? 0
    if (code === HEARTBEAT) return
    const isBatchFull = code === 409 && /max_?bytes/i.test(headers?.description ?? '')
    // The request ran out of time or room: the next one goes on.
    if (code === 404 || code === 408 || isBatchFull) {
      this.#expected = 0
      this.#ask()
    } else this.#fail(lost(this.#reading.at, headers?.description))
  }

  #countMissed(): void {
    this.#missed++
    if (this.#missed > MOST_MISSED)
      this.#fail(hubFault('slow', `The hub at ${this.#reading.at.server} has been silent for too long`))
  }

  #fail(failure: Fault): void {
    this.#failure ??= failure
    this.#wake()
  }
}

const HEARTBEAT = 100

/** The reader that the server kept for us is gone, as after a restart or when a stream was made anew. */
const lost = ({ server }: At, why = 'messages are missing'): Fault =>
  hubFault('away', `The hub at ${server} stopped sending (${why})`)

interface Delivery {
  readonly sequence: number
  readonly delivered: number
  readonly nanos: number
  readonly pending: number
}

/** `$JS.ACK.<stream>.<consumer>.<times>.<sequence>.<delivered>.<nanos>.<pending>`, with two names more on newer servers. */
function deliveryOf(reply: string | undefined): Delivery | undefined {
  if (reply?.startsWith('$JS.ACK.') !== true) return undefined
  const tokens = reply.split('.')
  const numbers = tokens.slice(tokens.length === 9 ? 5 : 7).map(Number)
  const [sequence = 0, delivered = 0, nanos = 0, pending = 0] = numbers
  return { sequence, delivered, nanos, pending }
}

function storedMessage({ subject, data }: Msg, { sequence, nanos }: Delivery): StoredMessage {
  return { sequence, subject, text: textOf(data), at: stampOfMillis(nanos / NANOS_PER_MILLI) }
}

/** Nothing instead of what is longer, by default, than any statement. */
export const textOf = (data: Uint8Array, mostBytes = 3 * STATEMENT_LIMITS.textLength): string =>
  data.length > mostBytes ? '' : new TextDecoder().decode(data)
