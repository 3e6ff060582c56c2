import type { JetStreamManager } from '@nats-io/jetstream'
import type { Hub, HubConnection, HubStream } from '../../engine/ports/hub.ts'
import type { Fault } from '../../protocol/fault.ts'
import { EARLIEST, parseStamp } from '../../protocol/stamp.ts'
import { type Connected, connectTo, type HubAccess } from './connect.ts'
import { loadNats, type Nats } from './load-nats.ts'
import { type At, natsFault } from './nats-fault.ts'
import { publishAll } from './publish.ts'
import { textOf } from './pull.ts'
import { createServerClock, readStream } from './read-stream.ts'
import { hubRooms } from './rooms.ts'
import { STREAMS, streamName } from './streams.ts'

/** How long the server may take to answer. */
const ANSWER_MILLIS = 10_000

/** A connection to JetStream with what is needed to use it. */
export interface OpenNats extends Connected {
  readonly nats: Nats
  readonly manager: JetStreamManager
}

export async function openNats(access: HubAccess, signal: AbortSignal): Promise<OpenNats> {
  const nats = await loadNats()
  const connected = await connectTo(nats, access, signal)
  const options = { timeout: ANSWER_MILLIS, checkAPI: false }
  return { ...connected, nats, manager: await nats.jetstreamManager(connected.connection, options) }
}

/** A hub on NATS JetStream. Nothing is loaded or called before it is opened. */
export const createNatsHub = (access: HubAccess): Hub => ({
  org: access.org,
  carriesMembers: access.members,
  open: async (signal) => {
    const connection = hubConnection(access, await openNats(access, signal))
    try {
      // Without one of them nothing could be kept there.
      for (const stream of STREAMS) await connection.stateOf(stream)
      await hearTime(connection, signal)
      return connection
    } catch (error) {
      await connection[Symbol.asyncDispose]()
      throw error
    }
  },
})

/** Known from the beginning: what is dated ahead of the hub must not get there. */
async function hearTime({ stateOf, read }: HubConnection, signal: AbortSignal): Promise<void> {
  const { now, last } = await stateOf('facts')
  if (now !== undefined) return
  for await (const _ of read('facts', { after: last, upTo: last }, signal));
}

function hubConnection(access: HubAccess, open: OpenNats): HubConnection {
  const { org, url } = access
  const { nats, connection, manager } = open
  const at = { server: url }
  const client = nats.jetstream(connection, { timeout: ANSWER_MILLIS })
  const nameOf = (stream: HubStream) => streamName(org, stream)
  const asking = <Result>(answer: Promise<Result>): Promise<Result> =>
    answer.catch((error: unknown) => {
      throw natsFault(nats, error, at)
    })
  const ended = reasonOfEnd(open, at)
  const clock = createServerClock()
  return {
    ended,
    rooms: hubRooms(access, open, ended),
    stateOf: async (stream) => {
      const { created, state, ts } = await asking(manager.streams.info(nameOf(stream)))
      if (typeof ts === 'string') clock.note(ts)
      const now = clock.now()
      return {
        id: String(created),
        first: state.messages === 0 ? state.last_seq + 1 : state.first_seq,
        last: state.last_seq,
        ...(now === undefined ? {} : { now }),
      }
    },
    publish: (messages) => publishAll({ nats, client, at }, messages),
    read: (stream, range, signal) =>
      readStream({ ...open, ended, stream: nameOf(stream), at, clock }, range, signal),
    lastOf: async (subject) => {
      const found = await asking(manager.streams.getMessage(nameOf('registers'), { last_by_subj: subject }))
      if (found === null) return undefined
      const { seq: sequence, data, timestamp } = found
      return { sequence, subject: found.subject, text: textOf(data), at: parseStamp(timestamp) ?? EARLIEST }
    },
    erase: async (stream, sequence) => {
      await asking(manager.streams.deleteMessage(nameOf(stream), sequence, true))
    },
    [Symbol.asyncDispose]: () => connection.close(),
  }
}

/** The server may say why it closes the connection, which the library tells apart from the end. */
async function reasonOfEnd({ nats, connection }: OpenNats, at: At): Promise<Fault> {
  let said: Error | undefined
  for await (const status of connection.status())
    if (status.type === 'error' && !(status.error instanceof nats.errors.PermissionViolationError))
      said = status.error
  const closed = await connection.closed()
  return natsFault(nats, said ?? closed ?? new nats.errors.ClosedConnectionError(), at)
}
