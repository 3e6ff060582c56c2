import type { Client, Health } from '../../client.ts'
import { placeOf } from '../../io/background/place.ts'
import { isSupervisorRunning, logPath, readBackground } from '../../io/background/state.ts'
import { DataDirError } from '../../io/place/data-dir.ts'
import {
  type FindOptions,
  type FoundDaemon,
  locateDataDir,
  NotRunningError,
} from '../../io/place/find-daemon.ts'
import { exists } from '../../io/system/exists.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { hubOf } from '../doctor/daemon.ts'
import { refusedOf } from '../doctor/peers.ts'
import { askAndShow, rendered } from '../form/answer.ts'
import { command } from '../form/command.ts'
import type { OutputFlags } from '../form/with-daemon.ts'
import { COLUMNS } from '../output/columns.ts'
import { printable, printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { hubLine } from '../peers/hub.ts'
import { assertAnswers, warnIfOther } from './daemon-health.ts'

export const status = command({
  about: 'show whether the daemon runs, what it holds and whom it knows',
  examples: ['cacpd status --json'],
  run: (given, terminal) => showStatus(given, terminal),
})

export async function showStatus(given: OutputFlags, terminal: Terminal): Promise<void> {
  if (given.data === undefined) await noteDaemonAbove(terminal)
  await askAndShow(
    async (client, daemon) => {
      const health = await assertAnswers(daemon)
      warnIfOther(health, terminal)
      return statusOf(client, daemon, { health, background: await backgroundOf(daemon.dataDir, given) })
    },
    {
      show: (result, screen) =>
        rendered(
          { ...result, hub: result.hub === null ? 'none' : hubLine(result.hub) },
          screen,
          COLUMNS['cacp/peer/list'],
        ),
      hint: ({ peers }, { self }) =>
        peers
          .flatMap(refusedOf)
          .map(({ message }) => `note: ${printableLine(message)}; see \`${self} peers\``)
          .join('\n') || undefined,
    },
    { given, terminal },
  ).catch(async (error: unknown) => {
    throw await withReason(error, { dataDir: given.data, ...terminal })
  })
}

async function statusOf(
  client: Client,
  { dataDir, endpoint }: FoundDaemon,
  { health: answered, background }: { health: Health; background: unknown },
) {
  const { store, peerCount: _, hub: __, ...health } = answered
  const [{ peers }, card, hub, inbox] = await Promise.all([
    client.call('cacp/peer/list', {}),
    client.card(),
    hubOf(client),
    // A limit of 0 only counts, and marks nothing as seen. A daemon of an earlier version refuses it.
    client.call('cacp/inbox/list', { limit: 0 }).then(
      ({ count }) => count,
      () => null,
    ),
  ])
  const { url, pid } = endpoint
  const publicUrl = card['url'] === url ? {} : { publicUrl: card['url'] }
  const place = { url, ...publicUrl, pid, background, data: dataDir }
  return { ...health, role: roleIn(card), inbox, ...place, ...store, hub, peers }
}

const roleIn = ({ extensions }: Readonly<Record<string, unknown>>): unknown =>
  isJsonObject(extensions) && isJsonObject(extensions['cacp']) ? extensions['cacp']['role'] : null

/** From inside of a repository that has none of its own, commands reach the daemon of the folder around it. */
async function noteDaemonAbove(terminal: Terminal): Promise<void> {
  const { above, cwd, dataDir } = await placeOf(terminal)
  if (above === undefined || (await exists(dataDir))) return
  terminal.complain(
    `note: this is the daemon of ${printable(above)}, in a folder around this repository; ${printable(cwd)} has none yet: ${terminal.self} up -d\n`,
  )
}

/** What watches over the daemon, if it was started in the background. */
async function backgroundOf(dataDir: string, { json }: OutputFlags): Promise<unknown> {
  const state = await readBackground(dataDir)
  if (state === undefined || !(await isSupervisorRunning(state))) return json === true ? null : 'no'
  const { pid, restarts, lastCrash } = state
  if (json === true) return { pid, restarts, lastCrash, log: logPath(dataDir) }
  const often = restarts === 1 ? 'once' : `${restarts} times`
  const why = lastCrash === undefined ? '' : `: ${lastCrash.message}`
  return `yes (process ${pid}${restarts === 0 ? '' : `; started again ${often}${why}`})`
}

/** For a daemon in the background that is not running, the error with which it ended. */
async function withReason(error: unknown, options: FindOptions): Promise<unknown> {
  if (!(error instanceof NotRunningError)) return error
  const dataDir = await locateDataDir(options).catch(() => undefined)
  const state = dataDir === undefined ? undefined : await readBackground(dataDir)
  if (state?.problem === undefined) return error
  const { message, next = error.next } = state.problem
  return state.phase === 'waiting' && (await isSupervisorRunning(state))
    ? new DataDirError(`The daemon of ${dataDir} crashed and will be started again: ${message}`, next, error)
    : new DataDirError(`${error.message}. In the background: ${message}`, next, error)
}
