import { readOperatorKey } from '../io/data-dir.ts'
import { locateDataDir } from '../io/find-daemon.ts'
import { isJsonObject } from '../protocol/json.ts'
import { type CallFlags, callAndPrint, type OutputFlags, printResult, withDaemon } from './call-daemon.ts'
import { COLUMNS } from './columns.ts'
import { readJson } from './read-json.ts'
import { UsageError } from './report.ts'
import type { Terminal } from './terminal.ts'

/** `cacpd key`: works also while the daemon is stopped. */
export async function showKey(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const { env, cwd } = terminal
  const key = await readOperatorKey(await locateDataDir({ dataDir: flags.data, env, cwd }))
  if (flags.json === true) printResult({ key }, flags, terminal)
  else terminal.print(`${key}\n`)
}

/** `cacpd status` */
export async function showStatus(flags: OutputFlags, terminal: Terminal): Promise<void> {
  const status = await withDaemon(flags, terminal, async (client, { dataDir, endpoint }) => {
    const [{ store, peerCount: _, ...health }, peers, card] = await Promise.all([
      client.health(),
      client.peers(),
      client.card(),
    ])
    const publicUrl = card['url'] === endpoint.url ? {} : { publicUrl: card['url'] }
    return { ...health, url: endpoint.url, ...publicUrl, pid: endpoint.pid, data: dataDir, ...store, peers }
  })
  printResult(status, { ...flags, columns: COLUMNS['cacp/peer/list'] }, terminal)
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
