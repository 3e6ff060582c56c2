import type { Client } from '../../client.ts'
import { type FoundDaemon, findDaemon } from '../../io/place/find-daemon.ts'
import type { MethodName } from '../../methods/table.ts'
import { agentIdMistake, isAgentId } from '../../protocol/agent/id.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { COLUMNS, type Columns } from '../output/columns.ts'
import { forPeople } from '../output/hints.ts'
import { render } from '../output/render.ts'
import { showing } from '../output/showing.ts'
import type { Look } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'
import { uploadFiles } from './local-file.ts'

export interface OutputFlags {
  readonly data?: string | undefined
  readonly json?: boolean | undefined
  /** How times are told to people; default: as how long ago. */
  readonly times?: 'ago' | 'iso' | undefined
}

export interface CallFlags extends OutputFlags {
  readonly agentId?: string | undefined
  readonly idempotencyKey?: string | undefined
}

export interface DaemonCall {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
  readonly flags: CallFlags
  readonly terminal: Terminal
}

export async function callAndPrint({ method, params, flags, terminal }: DaemonCall): Promise<void> {
  const { idempotencyKey } = flags
  const { result, repos } = await withDaemon(flags, terminal, async (client) => {
    const whole = await (await import('./whole-ids.ts')).withWholeIds(client, method, params)
    // What a person typed was checked by the method's schema, or will be by the daemon.
    const sent = (await uploadFiles(whole, client)) as never
    const answer = await client.call(method as MethodName, sent, { idempotencyKey })
    if (flags.json === true) return { result: answer }
    const { repoNamesFor } = await import('../output/repo-names.ts')
    return { result: answer, repos: await repoNamesFor(client, { method, params: whole }, answer) }
  })
  printResult(result, { ...flags, columns: COLUMNS[method], repos }, terminal)
}

export function assertFlags({ agentId, idempotencyKey }: CallFlags): void {
  if (agentId !== undefined && !isAgentId(agentId)) throw new UsageError(agentIdMistake('--agent-id'))
  const { idempotencyKeyLength: most } = LIMITS
  if (idempotencyKey !== undefined && (idempotencyKey.length < 1 || idempotencyKey.length > most))
    throw new UsageError(`--idempotency-key: must be text of 1 to ${most} characters`)
}

/** Runs something with a client of the running daemon. */
export async function withDaemon<Result>(
  flags: CallFlags,
  { env, cwd }: Terminal,
  use: (client: Client, found: FoundDaemon) => Promise<Result>,
): Promise<Result> {
  assertFlags(flags)
  const { data, agentId } = flags
  const found = await findDaemon({ dataDir: data, env, cwd })
  const { connect } = await import('../../client.ts')
  await using client = await connect({
    url: found.endpoint.url,
    certificate: found.endpoint.certificate,
    key: found.key,
    agentId,
  })
  return await use(client, found)
}

export interface Printing extends OutputFlags, Pick<Look, 'repos'> {
  readonly columns?: Columns | undefined
}

export function printResult(result: unknown, printing: Printing, terminal: Terminal): void {
  const { json, columns, repos } = printing
  const text = () => render(withHintForPeople(result), { ...showing(terminal, printing), repos }, columns)
  terminal.print(`${json === true ? JSON.stringify(result) : text()}\n`)
}

function withHintForPeople(result: unknown): unknown {
  if (!isJsonObject(result) || typeof result['hint'] !== 'string') return result
  return { ...result, hint: forPeople(result['hint']) }
}
