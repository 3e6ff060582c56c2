import type { ObjectStore } from '@nats-io/obj'
import type { Msg } from '@nats-io/transport-node'
import { tokenOf } from '../../domain/hub/subject.ts'
import { hubFault } from '../../domain/hub/trouble.ts'
import type { HubRooms, HubWire, KeptCard } from '../../engine/ports/hub-rooms.ts'
import type { Fault } from '../../protocol/fault.ts'
import { stampOfMillis } from '../../protocol/stamp.ts'
import { inTime } from '../system/timers.ts'
import type { HubAccess } from './connect.ts'
import { type At, isStreamMissing, natsFault } from './nats-fault.ts'
import type { OpenNats } from './nats-hub.ts'
import { textOf } from './pull.ts'
import { type Reading, readStream } from './read-stream.ts'
import { bucketNames } from './streams.ts'

/** What is longer is no card. */
const MOST_CARD_BYTES = 48 * 1024
const PROOF = 'Cacp-Proof'
const NOBODY_LISTENS = 503

/** Calls, cards and files over a connection to NATS. */
export function hubRooms({ org, url }: HubAccess, open: OpenNats, ended: Promise<Fault>): HubRooms {
  const { nats } = open
  const buckets = bucketNames(org)
  const at = { server: url }
  const asking =
    (bucket: string): Ask =>
    (request) =>
      request().catch((cause: unknown) => {
        if (cause instanceof nats.errors.NoRespondersError || isStreamMissing(nats, cause))
          throw hubFault('no_streams', `The hub has no bucket ${bucket}`, { cause })
        throw natsFault(nats, cause, at)
      })
  return {
    wire: wireOf(open, at),
    cards: cardRoom({ ...open, ended, at }, buckets.cards, asking(buckets.cards)),
    files: fileRoom(open, buckets.files, asking(buckets.files)),
  }
}

/** Runs a request to a bucket; what it throws is a Fault. */
type Ask = <Result>(request: () => Promise<Result>) => Promise<Result>

function wireOf({ nats, connection, inboxPrefix }: OpenNats, at: At): HubWire {
  return {
    maxBytes: connection.info?.max_payload ?? 1024 * 1024,
    newInbox: () => nats.createInbox(inboxPrefix),
    /** Lost where the connection is over: both sides notice that by the silence. */
    publish: (subject, { proof, body, reply }) => {
      if (connection.isClosed()) return
      const headers = nats.headers()
      if (proof !== '') headers.set(PROOF, proof)
      connection.publish(subject, body, { headers, ...(reply === undefined ? {} : { reply }) })
    },
    listen: (subject, heed, { queue, failed } = {}) => {
      const subscription = connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (error, message) => {
          if (error === null) heed(heard(message))
          else failed?.(natsFault(nats, error, at))
        },
      })
      return () => subscription.unsubscribe()
    },
  }
}

const heard = ({ data, reply, headers }: Msg) => ({
  proof: headers?.get(PROOF) ?? '',
  body: data,
  ...(reply === undefined || reply === '' ? {} : { reply }),
  isUnheard: data.length === 0 && headers?.code === NOBODY_LISTENS,
})

/** One value for each agent in a bucket of keys and values, which is a stream with one message for each key. */
function cardRoom(open: Omit<Reading, 'stream'>, bucket: string, asking: Ask): HubRooms['cards'] {
  const { nats, connection, manager } = open
  const stream = `KV_${bucket}`
  const prefix = `$KV.${bucket}.`
  const keys = new nats.Kvm(nats.jetstream(connection, manager.getOptions())).open(bucket)
  keys.catch(() => {})
  return {
    get: (agentId) =>
      asking(async () => {
        const found = await (await keys).get(tokenOf(agentId))
        if (found === null || found.operation !== 'PUT') return undefined
        return {
          token: found.key,
          text: textOf(found.value, MOST_CARD_BYTES),
          at: stampOfMillis(found.created.getTime()),
        }
      }),
    put: async (agentId, text) => {
      await asking(async () => (await keys).put(tokenOf(agentId), text))
    },
    list: (most, signal) =>
      asking(async () => {
        const { state } = await manager.streams.info(stream)
        const cards: KeptCard[] = []
        const range = { after: 0, upTo: state.last_seq }
        if (state.messages === 0) return cards
        for await (const messages of readStream({ ...open, stream }, range, signal))
          for (const { subject, text, at } of messages) {
            if (cards.length === most) return cards
            cards.push({
              token: subject.slice(prefix.length),
              text: text.length > MOST_CARD_BYTES ? '' : text,
              at,
            })
          }
        return cards
      }),
  }
}

/** Files in a bucket of objects, by their SHA-256. */
function fileRoom({ nats, connection, manager }: OpenNats, bucket: string, asking: Ask): HubRooms['files'] {
  const client = nats.jetstream(connection, manager.getOptions())
  let store: Promise<ObjectStore> | undefined
  const opened = (): Promise<ObjectStore> => {
    store ??= new nats.Objm(client).open(bucket).catch((error: unknown) => {
      store = undefined
      throw error
    })
    return store
  }
  return {
    has: (sha256) =>
      asking(async () => {
        const found = await (await opened()).info(sha256)
        return found !== null && !found.deleted
      }),
    put: (sha256, bytes) =>
      asking(async () => {
        await (await opened()).put({ name: sha256 }, ReadableStream.from(bytes))
      }),
    get: (sha256) =>
      asking(async () => {
        const found = await (await opened()).get(sha256)
        return found === null ? undefined : bytesOf(found)
      }),
  }
}

/** How long the hub may pause in the middle of a file. */
const PAUSE_MILLIS = 20_000

const tooLate = (): Fault => hubFault('slow', 'The hub stopped in the middle of a file')

/** The store compares sizes and hashes of its own, and says only at the end what is wrong. */
async function* bytesOf({ data, error }: NonNullable<Awaited<ReturnType<ObjectStore['get']>>>) {
  const reader = data.getReader()
  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), PAUSE_MILLIS, tooLate)
      if (done) break
      yield value
    }
    const wrong = await error
    if (wrong instanceof Error) throw wrong
  } finally {
    await reader.cancel().catch(() => {})
  }
}
