import type { Client } from '../client.ts'
import { type FoundDaemon, findDaemon } from '../io/find-daemon.ts'
import type { MethodName } from '../methods/table.ts'
import { COLUMNS, type Columns } from './columns.ts'
import { render } from './render.ts'
import type { Terminal } from './terminal.ts'

export interface OutputFlags {
  readonly data?: string | undefined
  readonly json?: boolean | undefined
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
  const result = await withDaemon(flags, terminal, (client) =>
    // The daemon checks what a person typed, and says it better than a type could.
    client.call(method as MethodName, params as never, { idempotencyKey }),
  )
  printResult(result, { ...flags, columns: COLUMNS[method] }, terminal)
}

/** Runs something with a client of the running daemon. */
export async function withDaemon<Result>(
  { data, agentId }: CallFlags,
  { env, cwd }: Terminal,
  use: (client: Client, found: FoundDaemon) => Promise<Result>,
): Promise<Result> {
  const found = await findDaemon({ dataDir: data, env, cwd })
  const { connect } = await import('../client.ts')
  await using client = await connect({ url: found.endpoint.url, key: found.key, agentId })
  return await use(client, found)
}

export function printResult(
  result: unknown,
  { json, columns }: OutputFlags & { columns?: Columns | undefined },
  terminal: Terminal,
): void {
  terminal.print(`${json === true ? JSON.stringify(result) : render(result, terminal, columns)}\n`)
}
