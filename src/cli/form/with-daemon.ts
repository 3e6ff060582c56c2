import type { Client } from '../../client.ts'
import { type FoundDaemon, findDaemon } from '../../io/place/find-daemon.ts'
import { agentIdMistake } from '../../protocol/agent/id.ts'
import { isAgentId } from '../../protocol/agent/is-agent-id.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Terminal } from '../output/terminal.ts'
import { UsageError } from '../program/report.ts'

export interface OutputFlags {
  readonly data?: string | undefined
  readonly json?: boolean | undefined
  /** Of commands that print in other forms too: `json` says the same as `--json`. */
  readonly format?: string | undefined
  /** How times are shown to people; default: as how long ago. */
  readonly times?: 'ago' | 'iso' | undefined
}

export const isForPrograms = ({ json, format }: OutputFlags): boolean => json === true || format === 'json'

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

/** Pause before a daemon that has stopped is looked for again. */
export const AGAIN_MILLIS = 1000

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
