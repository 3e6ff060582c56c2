import type { Client } from '../../client.ts'
import { type FoundDaemon, findDaemon } from '../../io/place/find-daemon.ts'
import { agentIdMistake, isAgentId } from '../../protocol/agent/id.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface OutputFlags {
  readonly data?: string | undefined
  readonly json?: boolean | undefined
  /** How times are shown to people; default: as how long ago. */
  readonly times?: 'ago' | 'iso' | undefined
}

export interface CallFlags extends OutputFlags {
  readonly agentId?: string | undefined
  readonly idempotencyKey?: string | undefined
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
  const { url, certificate } = found.endpoint
  const { connect } = await import('../../client.ts')
  await using client = await connect({ url, certificate, key: found.key, agentId })
  return await use(client, found)
}
