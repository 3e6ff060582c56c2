import type { ConsumerConfig, ConsumerInfo, JetStreamManager } from '@nats-io/jetstream'
import type { HubRange } from '../../engine/ports/hub.ts'
import { addMicros, parseStamp, type Stamp } from '../../protocol/stamp.ts'
import type { Nats } from './load-nats.ts'
import { natsFault } from './nats-fault.ts'
import { NANOS_PER_MILLI, openPull, type Pulling } from './pull.ts'

export interface Reading extends Pulling {
  readonly manager: JetStreamManager
  readonly clock?: ServerClock
}

const PLACED_MILLIS = 3000
const MOST_PLACES = 5
/** The server forgets a reader that is gone for so long. */
const FORGET_MILLIS = 60_000

/**
 * The messages of a stream after a sequence number, in order. The server keeps the position for as long as this lasts,
 * and nothing of it: whatever is not as expected ends the reading with a Fault, and the next one begins where the
 * journal of this daemon says.
 */
export async function* readStream(reading: Reading, range: HubRange, signal: AbortSignal) {
  const { manager, stream, clock } = reading
  const { upTo } = range
  const consumer = await addConsumer(reading, range)
  clock?.note(consumer.created)
  const pull = openPull(reading, consumer.name)
  signal.addEventListener('abort', pull.end, { once: true })
  try {
    const isEmpty = upTo !== undefined && consumer.num_pending === 0
    while (!isEmpty && !signal.aborted) {
      const { messages, isLast } = await pull.next()
      const wanted = upTo === undefined ? messages : messages.filter(({ sequence }) => sequence <= upTo)
      if (wanted.length > 0) yield wanted
      const last = messages.at(-1)?.sequence ?? 0
      if (upTo !== undefined && (isLast || last >= upTo)) return
    }
  } finally {
    signal.removeEventListener('abort', pull.end)
    pull.end()
    // The server forgets it anyway.
    manager.consumers.delete(stream, consumer.name).catch(() => {})
  }
}

/** A cluster may have chosen a server that is down to keep the position, and then nobody answers: it chooses again. */
async function addConsumer(reading: Reading, range: HubRange): Promise<ConsumerInfo> {
  const { nats, connection, at } = reading
  const manager = await nats.jetstreamManager(connection, { timeout: PLACED_MILLIS, checkAPI: false })
  for (let attempt = 1; ; attempt++)
    try {
      return await manager.consumers.add(reading.stream, consumerFor(nats, range))
    } catch (error) {
      if (!(error instanceof nats.errors.TimeoutError) || attempt === MOST_PLACES)
        throw natsFault(nats, error, at)
    }
}

const consumerFor = (nats: Nats, { after, subject }: HubRange): Partial<ConsumerConfig> => ({
  name: nats.nuid.next(),
  deliver_policy: 'by_start_sequence',
  opt_start_seq: after + 1,
  ack_policy: 'none',
  mem_storage: true,
  num_replicas: 1,
  inactive_threshold: FORGET_MILLIS * NANOS_PER_MILLI,
  ...(subject === undefined ? {} : { filter_subject: subject }),
})

export type ServerClock = ReturnType<typeof createServerClock>

/** What the clock of the server shows. Servers before 2.10 tell it only with a reader that they made. */
export function createServerClock() {
  let heard: { readonly now: Stamp; readonly at: number } | undefined
  return {
    note(time: string): void {
      const now = parseStamp(time)
      if (now !== undefined) heard = { now, at: performance.now() }
    },
    now: (): Stamp | undefined =>
      heard && addMicros(heard.now, Math.round((performance.now() - heard.at) * 1000)),
  }
}
