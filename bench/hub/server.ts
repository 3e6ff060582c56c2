import { makeStreams } from '../../src/io/hub/hub-admin.ts'
import { type NatsServer, startNats, WITHOUT_NATS } from '../../test/support/hub/nats-server.ts'
import { callOnce } from '../http-request.ts'
import { until } from '../mesh.ts'
import type { Running } from '../workshop.ts'

export const ORG = 'bench'

/** What a daemon needs in its environment to use it. */
export const onHub = (url: string): Record<string, string> => ({
  CACP_HUB: JSON.stringify({ url, org: ORG }),
})

/** A real server with the streams of an organisation. */
export async function startHub(): Promise<NatsServer> {
  if (WITHOUT_NATS !== undefined) throw new Error(`The figures of the hub need a server: ${WITHOUT_NATS}`)
  const server = await startNats()
  const settings = { url: server.url, org: ORG, members: false, name: 'bench' }
  await makeStreams(settings, { replicas: 1 }, new AbortController().signal)
  return server
}

/** Whether a daemon has read everything that is on the hub, and the hub has everything of it. */
async function isCurrent(daemon: Running): Promise<boolean> {
  const { hub } = await callOnce<{ hub: { state: string } }>(daemon, {
    method: 'cacp/hub/status',
    params: {},
  })
  return hub.state === 'current'
}

export const untilCurrent = (daemons: readonly Running[]): Promise<void> =>
  until(
    'all daemons have read the hub',
    async () => (await Promise.all(daemons.map(isCurrent))).every((one) => one),
    50,
  )
