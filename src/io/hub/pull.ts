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
export function openPull({ nats, connection, inboxPrefix, ended, stream, at }: Pulling, consumer: string) {
  // Every message of the server fits into a batch, however large it lets them be.
  const mostBytes = Math.max(BATCH.bytes, 2 * (connection.info?.max_payload ?? 0))
  const inbox = nats.createInbox(inboxPrefix)
  let arrived: StoredMessage[] = []
  let pending = Number.POSITIVE_INFINITY
  let delivered = 0
  /** Messages that the request under way may still bring; 0 when it is over. */
  let expected = 0
  let missed = 0
  let failure: Fault | undefined
  let isOver = false
  let wake = () => {}
  const subscription = connection.subscribe(inbox, {
    callback: (error, message) => {
      if (error) fail(natsFault(nats, error, at))
      else receive(message)
    },
  })
  void ended.then(fail)
  const timer = setInterval(countMissed, HEARTBEAT_MILLIS).unref()

  function ask(): void {
    if (expected > 0 || arrived.length > 0 || failure !== undefined || isOver) return
    expected = BATCH.messages
    const request = {
      batch: BATCH.messages,
      max_bytes: mostBytes,
      expires: EXPIRES_MILLIS * NANOS_PER_MILLI,
      idle_heartbeat: HEARTBEAT_MILLIS * NANOS_PER_MILLI,
    }
    try {
      const subject = `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`
      connection.publish(subject, JSON.stringify(request), { reply: inbox })
    } catch (error) {
      fail(natsFault(nats, error, at))
    }
  }

  function receive(message: Msg): void {
    missed = 0
    const delivery = deliveryOf(message.reply)
    if (delivery === undefined) receiveStatus(message)
    else if (delivery.delivered !== delivered + 1) fail(lost(at))
    else {
      delivered++
      expected--
      pending = delivery.pending
      const { subject, data } = message
      const { sequence, nanos } = delivery
      arrived.push({ sequence, subject, text: textOf(data), at: stampOfMillis(nanos / NANOS_PER_MILLI) })
    }
    wake()
  }

  function receiveStatus({ headers }: Msg): void {
    const code = headers?.code ?? 0
    if (code === HEARTBEAT) return
    const isBatchFull = code === 409 && /max_?bytes/i.test(headers?.description ?? '')
    // The request ran out of time or room: the next one goes on.
    if (code === 404 || code === 408 || isBatchFull) {
      expected = 0
      ask()
    } else fail(lost(at, headers?.description))
  }

  function countMissed(): void {
    missed++
    if (missed > MOST_MISSED) fail(hubFault('slow', `The hub at ${at.server} has been silent for too long`))
  }

  function fail(why: Fault): void {
    failure ??= why
    wake()
  }

  return {
    /** What has come, as soon as there is something; nothing at the end. `isLast`: the stream had no more by then. */
    async next(): Promise<{ messages: readonly StoredMessage[]; isLast: boolean }> {
      ask()
      while (arrived.length === 0 && failure === undefined && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const messages = arrived
      if (messages.length === 0 && failure !== undefined) throw failure
      arrived = []
      ask()
      return { messages, isLast: pending === 0 }
    },
    end(): void {
      if (isOver) return
      isOver = true
      clearInterval(timer)
      subscription.unsubscribe()
      wake()
    },
  }
}

const HEARTBEAT = 100

/** The reader that the server kept for us is gone, as after a restart or when a stream was made anew. */
const lost = ({ server }: At, why = 'messages are missing'): Fault =>
  hubFault('away', `The hub at ${server} stopped sending (${why})`)

/** `$JS.ACK.<stream>.<consumer>.<times>.<sequence>.<delivered>.<nanos>.<pending>`, with two names more on newer servers. */
function deliveryOf(reply: string | undefined) {
  if (reply?.startsWith('$JS.ACK.') !== true) return undefined
  const tokens = reply.split('.')
  const numbers = tokens.slice(tokens.length === 9 ? 5 : 7).map(Number)
  const [sequence = 0, delivered = 0, nanos = 0, pending = 0] = numbers
  return { sequence, delivered, nanos, pending }
}

/** Nothing instead of what is longer, by default, than any statement. */
export const textOf = (data: Uint8Array, mostBytes = 3 * STATEMENT_LIMITS.textLength): string =>
  data.length > mostBytes ? '' : new TextDecoder().decode(data)
