import type { Msg, NatsConnection } from '@nats-io/transport-node'
import { tokenOf } from '../../domain/hub/subject.ts'
import { hubFault } from '../../domain/hub/trouble.ts'
import type { HubRooms, HubWire, KeptCard } from '../../engine/ports/hub-rooms.ts'
import type { Fault } from '../../protocol/fault.ts'
import { stampOfMillis } from '../../protocol/stamp.ts'
import type { HubAccess } from './connect.ts'
import { fileRoom } from './file-room.ts'
import type { Nats } from './load-nats.ts'
import { natsFault } from './nats-fault.ts'
import type { OpenNats } from './nats-hub.ts'
import { readStream } from './read-stream.ts'
import { bucketNames } from './streams.ts'

/** What is longer is no card. */
const MOST_CARD_BYTES = 48 * 1024
const PROOF = 'Cacp-Proof'
const NOBODY_LISTENS = 503

/** Calls, cards and files over a connection to NATS. */
export function hubRooms({ org, url }: HubAccess, open: OpenNats, ended: Promise<Fault>): HubRooms {
  const { nats } = open
  const buckets = bucketNames(org)
  const asking = async <Result>(bucket: string, answer: () => Promise<Result>): Promise<Result> => {
    try {
      return await answer()
    } catch (error) {
      if (isMissing(nats, error))
        throw hubFault('no_streams', `The hub has no bucket ${bucket}`, { cause: error })
      throw natsFault(nats, error, { server: url })
    }
  }
  return {
    wire: wireOf(open, url),
    cards: cardRoom(open, { bucket: buckets.cards, asking, ended, server: url }),
    files: fileRoom(open, { bucket: buckets.files, asking }),
  }
}

/** Runs a request to a bucket; what it throws is a Fault. */
export type AskBucket = <Result>(bucket: string, answer: () => Promise<Result>) => Promise<Result>

const isMissing = ({ errors, JetStreamApiError }: Nats, error: unknown): boolean =>
  error instanceof errors.NoRespondersError || (error instanceof JetStreamApiError && error.code === 10059)

function wireOf({ nats, connection, inboxPrefix }: OpenNats, server: string): HubWire {
  return {
    maxBytes: connection.info?.max_payload ?? 1024 * 1024,
    newInbox: () => nats.createInbox(inboxPrefix),
    publish: (subject, { proof, body, reply }) => publish(nats, connection, { subject, proof, body, reply }),
    listen: (subject, heed, { queue, failed } = {}) => {
      const subscription = connection.subscribe(subject, {
        ...(queue === undefined ? {} : { queue }),
        callback: (error, message) => {
          if (error === null) heed(heard(message))
          else failed?.(natsFault(nats, error, { server }))
        },
      })
      return () => subscription.unsubscribe()
    },
  }
}

interface Sent {
  readonly subject: string
  readonly proof: string
  readonly body: Uint8Array
  readonly reply: string | undefined
}

/** Lost where the connection is over: both sides notice that by the silence. */
function publish(nats: Nats, connection: NatsConnection, { subject, proof, body, reply }: Sent): void {
  if (connection.isClosed()) return
  const headers = nats.headers()
  if (proof !== '') headers.set(PROOF, proof)
  connection.publish(subject, body, { headers, ...(reply === undefined ? {} : { reply }) })
}

const heard = ({ data, reply, headers }: Msg) => ({
  proof: headers?.get(PROOF) ?? '',
  body: data,
  ...(reply === undefined || reply === '' ? {} : { reply }),
  isUnheard: data.length === 0 && headers?.code === NOBODY_LISTENS,
})

interface CardPlace {
  readonly bucket: string
  readonly asking: AskBucket
  readonly ended: Promise<Fault>
  readonly server: string
}

/** One value for each agent in a bucket of keys and values, which is a stream with one message for each key. */
function cardRoom(open: OpenNats, { bucket, asking, ended, server }: CardPlace): HubRooms['cards'] {
  const { nats, connection, manager } = open
  const stream = `KV_${bucket}`
  const prefix = `$KV.${bucket}.`
  const keys = new nats.Kvm(nats.jetstream(connection, manager.getOptions())).open(bucket)
  keys.catch(() => {})
  return {
    get: (agentId) =>
      asking(bucket, async () => {
        const found = await (await keys).get(tokenOf(agentId))
        if (found === null || found.operation !== 'PUT') return undefined
        return { token: found.key, text: textOf(found.value), at: stampOfMillis(found.created.getTime()) }
      }),
    put: async (agentId, text) => {
      await asking(bucket, async () => (await keys).put(tokenOf(agentId), text))
    },
    list: (most, signal) =>
      asking(bucket, async () => {
        const { state } = await manager.streams.info(stream)
        const cards: KeptCard[] = []
        const range = { after: 0, upTo: state.last_seq }
        if (state.messages === 0) return cards
        for await (const messages of readStream({ ...open, ended, stream, at: { server } }, range, signal))
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

const textOf = (data: Uint8Array): string =>
  data.length > MOST_CARD_BYTES ? '' : new TextDecoder().decode(data)
