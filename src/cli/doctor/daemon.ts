import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Client, Health } from '../../client.ts'
import { twice } from '../../domain/peers/duplicate-daemons.ts'
import { fullness } from '../../domain/person/tasks.ts'
import { ensureDaemon, findRunningDaemon } from '../../io/background/ensure-daemon.ts'
import { isSupervisorRunning, readBackground, removeBackground } from '../../io/background/state.ts'
import { readEndpoint } from '../../io/place/data-dir.ts'
import type { FoundDaemon } from '../../io/place/find-daemon.ts'
import type { HubReport } from '../../methods/peers/hub.ts'
import type { PeerReport } from '../../methods/peers/peer.ts'
import { VERSION } from '../../version.ts'
import { ANSWER_MILLIS, notAnswering, otherVersion, RESTART } from '../daemon/daemon-health.ts'
import { type Diagnosis, findingsOf, type Patient } from './diagnosis.ts'
import { hubFindings, peerFindings } from './peers.ts'

const { ok, note, wrong } = findingsOf('daemon')

export async function checkDaemon(patient: Patient): Promise<Diagnosis[]> {
  const { place, daemon } = patient
  // Throws the reason why it cannot be found.
  if (daemon === undefined) await findRunningDaemon(place.dataDir)
  return daemon === undefined ? whyNotRunning(patient) : await lookAt(daemon)
}

async function whyNotRunning({ place, terminal }: Patient): Promise<Diagnosis[]> {
  const { dataDir } = place
  const state = await readBackground(dataDir)
  const isLeft = state !== undefined && !(await isSupervisorRunning(state))
  const why =
    state?.problem !== undefined
      ? `: ${state.problem.message}`
      : isLeft
        ? ', and the process that watched over it was killed'
        : ''
  const taken = await takenPort(dataDir)
  const fix = state?.problem?.next ?? 'Start it with `cacpd up -d`'
  const stopped = wrong(`No daemon runs for ${dataDir}${why}`, fix)
  const repair = async () => {
    if (isLeft) await removeBackground(dataDir)
    const { endpoint } = await ensureDaemon({ env: terminal.env, cwd: place.cwd, dataDir })
    return `Started the daemon in the background, at ${endpoint.url}`
  }
  return taken === undefined ? [{ ...stopped, repair }] : [stopped, taken]
}

/** The port of the last start is kept, because others know it; so nobody else should have it. */
async function takenPort(dataDir: string): Promise<Diagnosis | undefined> {
  const endpoint = await readEndpoint(dataDir)
  if (endpoint === undefined) return undefined
  const { hostname } = new URL(endpoint.url)
  const server = createServer().listen(endpoint.port, hostname.replace(/^\[|\]$/g, ''))
  try {
    await once(server, 'listening')
    server.close()
    return undefined
  } catch (error) {
    return findingsOf('port').wrong(
      `Port ${endpoint.port}, at which its peers know it, cannot be had (${(error as NodeJS.ErrnoException).code})`,
      'Stop what listens there, or take another port with `cacpd up -d --port PORT` and tell the peers',
    )
  }
}

async function lookAt(daemon: FoundDaemon): Promise<Diagnosis[]> {
  const { dataDir, endpoint, key } = daemon
  const { connect } = await import('../../client.ts')
  const { url, certificate } = endpoint
  await using client = await connect({ url, certificate, key, timeoutMs: ANSWER_MILLIS })
  const health = await client.health().catch(() => undefined)
  if (health === undefined) return [wrong(notAnswering(daemon), RESTART)]
  const { peers } = await client.call('cacp/peer/list', {})
  const hub = await hubOf(client)
  const found = [...conditionOf(health), ...twiceIn(health, peers), ...(await watchOf(dataDir))]
  return [
    ...(found.length > 0 ? found : [ok(`Answers at ${url}`)]),
    ...peerFindings(peers),
    ...hubFindings(hub),
  ]
}

/** A daemon of an earlier version knows of none. */
export const hubOf = (client: Client): Promise<HubReport | null> =>
  client.call('cacp/hub/status', {}).then(
    ({ hub }) => hub,
    () => null,
  )

/** Two daemons of one agent ID do not see each other; only their peers hear both. */
function twiceIn({ agentId }: Health, peers: readonly PeerReport[]): Diagnosis[] {
  if (!peers.some(({ hearsUsTwice }) => hearsUsTwice)) return []
  const { message, fix } = twice(agentId)
  return [wrong(message, fix)]
}

function conditionOf({ status, reason, next, recovered, version, store }: Health): Diagnosis[] {
  const found: Diagnosis[] = []
  if (status !== 'healthy') found.push(wrong(reason ?? 'It takes nothing in', next ?? 'See `cacpd logs`'))
  const full = store && fullness(store)
  if (full !== undefined) found.push(wrong(full.message, full.fix))
  if (recovered) found.push(note('At its start, a write that a crash had cut short was set aside'))
  if (version !== undefined && version !== VERSION) found.push(note(otherVersion(version), RESTART))
  return found
}

async function watchOf(dataDir: string): Promise<Diagnosis[]> {
  const state = await readBackground(dataDir)
  if (state === undefined) return []
  if (!(await isSupervisorRunning(state)))
    return [
      note('The process that watched over it was killed, so nobody starts it again after a crash', RESTART),
    ]
  if (state.restarts === 0) return []
  const often = state.restarts === 1 ? 'once' : `${state.restarts} times`
  const why = state.lastCrash === undefined ? '' : `; the last time: ${state.lastCrash.message}`
  return [note(`It crashed and was started again, ${often} so far${why}`, 'See `cacpd logs` for why')]
}
