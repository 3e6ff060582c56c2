import type { FoundStream, HubFound, MadeStream, StreamLimits } from '../../domain/hub/found.ts'
import type { HubAccess } from './connect.ts'
import { isStreamMissing, natsFault } from './nats-fault.ts'
import { type OpenNats, openNats } from './nats-hub.ts'
import { bucketNames, STREAMS, streamConfig, streamName } from './streams.ts'

/** Connects, and tells what is there. */
export const lookAtHub = (access: HubAccess, signal: AbortSignal): Promise<HubFound> =>
  withNats(access, signal, async (open) => {
    const { connection } = open
    const streams: FoundStream[] = []
    for (const stream of STREAMS) streams.push(await foundStream(open, streamName(access.org, stream)))
    return {
      server: connection.info?.server_name ?? connection.getServer(),
      version: connection.info?.version ?? 'unknown',
      isEncrypted: connection.info?.tls_required === true || connection.info?.tls_available === true,
      maxPayload: connection.info?.max_payload ?? 0,
      streams,
    }
  })

async function foundStream(open: OpenNats, name: string): Promise<FoundStream> {
  const found = await infoOf(open, name)
  return {
    name,
    isThere: found !== undefined,
    messages: found?.state.messages ?? 0,
    bytes: found?.state.bytes ?? 0,
    replicas: found?.config.num_replicas ?? 0,
  }
}

/** Makes the streams and buckets of an organisation, or gives the streams that are there these limits. */
export const makeStreams = (access: HubAccess, limits: StreamLimits, signal: AbortSignal) =>
  withNats(access, signal, async (open) => {
    const { nats, connection, manager } = open
    const { replicas } = limits
    const { cards, files } = bucketNames(access.org)
    const client = nats.jetstream(connection, manager.getOptions())
    const makeBucket = async (name: string, make: () => Promise<unknown>): Promise<MadeStream> => {
      const isThere = (await infoOf(open, name)) !== undefined
      if (!isThere) await make()
      return { name, did: isThere ? 'in_order' : 'made' }
    }
    // The streams last: daemons begin when those are there.
    const made = [
      await makeBucket(`KV_${cards}`, () => new nats.Kvm(client).create(cards, { replicas, history: 1 })),
      await makeBucket(`OBJ_${files}`, () => new nats.Objm(client).create(files, { replicas })),
    ]
    for (const stream of STREAMS) made.push(await makeStream(open, streamConfig(access.org, stream, limits)))
    return made
  })

async function makeStream(open: OpenNats, wanted: ReturnType<typeof streamConfig>): Promise<MadeStream> {
  const { name } = wanted
  const { streams } = open.manager
  const found = await infoOf(open, name)
  if (found === undefined) {
    await streams.add(wanted)
    return { name, did: 'made' }
  }
  const { num_replicas, max_bytes } = found.config
  if (num_replicas === wanted.num_replicas && max_bytes === wanted.max_bytes) return { name, did: 'in_order' }
  await streams.update(name, wanted)
  return { name, did: 'changed' }
}

/** Undefined where there is no such stream. */
const infoOf = ({ nats, manager }: OpenNats, name: string) =>
  manager.streams.info(name).catch((error: unknown) => {
    if (isStreamMissing(nats, error)) return undefined
    throw error
  })

async function withNats<Result>(
  access: HubAccess,
  signal: AbortSignal,
  use: (open: OpenNats) => Promise<Result>,
): Promise<Result> {
  const open = await openNats(access, signal)
  try {
    return await use(open)
  } catch (error) {
    throw natsFault(open.nats, error, { server: access.url })
  } finally {
    await open.connection.close()
  }
}
