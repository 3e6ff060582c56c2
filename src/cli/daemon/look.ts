import { access } from 'node:fs/promises'
import { placeOf } from '../../io/background/place.ts'
import { isWatching, logPath, readBackground } from '../../io/background/state.ts'
import { DataDirError, readOperatorKey } from '../../io/place/data-dir.ts'
import { type FindOptions, locateDataDir, NotRunningError } from '../../io/place/find-daemon.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { refusedOf } from '../../setup/peer-findings.ts'
import {
  type CallFlags,
  callAndPrint,
  type OutputFlags,
  printResult,
  withDaemon,
} from '../derive/call-daemon.ts'
import { readJson } from '../derive/read-json.ts'
import { assertAnswers, warnIfOther } from '../output/answering.ts'
import { COLUMNS } from '../output/columns.ts'
import { printable, printableLine } from '../output/printable.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

/** `cacpd key`: works also while the daemon is stopped. */
export async function showKey(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const { env, cwd } = terminal
  const key = await readOperatorKey(await locateDataDir({ dataDir: flags.data, env, cwd }))
  if (flags.json === true) printResult({ key }, flags, terminal)
  else terminal.print(`${key}\n`)
}

/** `cacpd status` */
export async function showStatus(flags: OutputFlags, terminal: Terminal): Promise<void> {
  if (flags.data === undefined) await noteDaemonAbove(terminal)
  const status = await withDaemon(flags, terminal, async (client, daemon) => {
    const { dataDir, endpoint } = daemon
    const answered = await assertAnswers(daemon)
    warnIfOther(answered, terminal)
    const { store, peerCount: _, ...health } = answered
    const [{ peers }, card, inbox] = await Promise.all([
      client.call('cacp/peer/list', {}),
      client.card(),
      // Nothing of it is shown, so nobody has seen it by that. A daemon of an earlier version cannot only count.
      client.call('cacp/inbox/list', { limit: 0 }).then(
        ({ count }) => count,
        () => null,
      ),
    ])
    const background = await backgroundOf(dataDir, flags)
    const publicUrl = card['url'] === endpoint.url ? {} : { publicUrl: card['url'] }
    return {
      ...health,
      role: roleIn(card),
      inbox,
      url: endpoint.url,
      ...publicUrl,
      pid: endpoint.pid,
      background,
      data: dataDir,
      ...store,
      peers,
    }
  }).catch(async (error: unknown) => {
    throw await withReason(error, { dataDir: flags.data, ...terminal })
  })
  printResult(status, { ...flags, columns: COLUMNS['cacp/peer/list'] }, terminal)
  for (const { message } of status.peers.flatMap(refusedOf))
    terminal.complain(`note: ${printableLine(message)}; see \`${terminal.self} peers\`\n`)
}

const roleIn = ({ extensions }: Readonly<Record<string, unknown>>): unknown =>
  isJsonObject(extensions) && isJsonObject(extensions['cacp']) ? extensions['cacp']['role'] : null

/** From inside of a repository that has none of its own, commands reach the daemon of the folder around it. */
async function noteDaemonAbove(terminal: Terminal): Promise<void> {
  const { above, cwd, dataDir } = await placeOf(terminal)
  if (above === undefined || (await isThere(dataDir))) return
  terminal.complain(
    `note: this is the daemon of ${printable(above)}, in a folder around this repository; ${printable(cwd)} has none yet: ${terminal.self} up -d\n`,
  )
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** What watches over the daemon, if it was started in the background. */
async function backgroundOf(dataDir: string, { json }: OutputFlags): Promise<unknown> {
  const state = await readBackground(dataDir)
  if (state === undefined || !(await isWatching(state))) return json === true ? null : 'no'
  const { pid, restarts, lastCrash } = state
  if (json === true) return { pid, restarts, lastCrash, log: logPath(dataDir) }
  const often = restarts === 1 ? 'once' : `${restarts} times`
  const why = lastCrash === undefined ? '' : `: ${lastCrash.message}`
  return `yes (process ${pid}${restarts === 0 ? '' : `; started again ${often}${why}`})`
}

/** Where one in the background is not running, its last words say more than that. */
async function withReason(error: unknown, options: FindOptions): Promise<unknown> {
  if (!(error instanceof NotRunningError)) return error
  const dataDir = await locateDataDir(options).catch(() => undefined)
  const state = dataDir === undefined ? undefined : await readBackground(dataDir)
  if (state?.problem === undefined) return error
  const { message, next = error.next } = state.problem
  return state.phase === 'waiting' && (await isWatching(state))
    ? new DataDirError(`The daemon of ${dataDir} crashed and will be started again: ${message}`, next, error)
    : new DataDirError(`${error.message}. In the background: ${message}`, next, error)
}

/** `cacpd call METHOD [JSON|@file|-]`: any method, also one that this version has no command for. */
export async function callMethod(
  method: string,
  json: string | undefined,
  { flags, terminal }: { flags: CallFlags; terminal: Terminal },
): Promise<void> {
  const params = json === undefined ? {} : await readJson(json, 'params', terminal)
  if (!isJsonObject(params)) throw new UsageError('params: must be a JSON object of named values')
  await callAndPrint({ method, params, flags, terminal })
}
