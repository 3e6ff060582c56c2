import { openNats } from '../../../src/io/hub/nats-hub.ts'
import { bucketNames, STREAMS, streamConfig } from '../../../src/io/hub/streams.ts'
import { type NatsServer, startNats } from './nats-server.ts'

export const ORG = 'acme'
export const hubAt = (url: string) => ({ url, org: ORG, members: false })
export const FOREVER = new AbortController().signal

/** A real server with the streams and buckets of an organisation. */
export async function preparedHub(configuration = ''): Promise<NatsServer> {
  const server = await startNats({ configuration: () => configuration })
  const { nats, connection, manager } = await openNats({ ...hubAt(server.url), name: 'test' }, FOREVER)
  for (const stream of STREAMS) await manager.streams.add(streamConfig(ORG, stream, { replicas: 1 }))
  const { cards, files } = bucketNames(ORG)
  const client = nats.jetstream(connection)
  await new nats.Kvm(client).create(cards, { history: 1 })
  await new nats.Objm(client).create(files)
  await connection.close()
  return server
}
