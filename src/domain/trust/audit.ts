import * as z from 'zod'
import type { FaultKind } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { Texts } from '../../protocol/words.ts'

/** One access decision. It contains names and ids only: no content and no secret. */
export const AuditLine = z.object({
  at: z.string(),
  /** `lost`: this many lines before this one could not be written. */
  outcome: z.enum(['allowed', 'refused', 'lost']),
  fault: z.string().optional().describe('why it was refused, or how it failed although it was allowed'),
  /** Missing if the request was refused before its caller was identified. */
  caller: z.string().optional().describe('operator, open, peer, known, token or anonymous'),
  agentId: z.string().optional(),
  via: z.literal('ui').optional().describe('a person did it at the dashboard; credential is the session'),
  credential: z.string().optional().describe('start of the hash of its key, or id of its token or session'),
  from: z.string().optional().describe('its address; none when this daemon fetched it from that agent'),
  what: z.string().describe('the method or route'),
  projectId: z.string().optional(),
  /** For several calls of one request, those of all calls. */
  ids: Texts.optional().describe('what was changed'),
  requestId: z.string().optional().describe('calls of one batch have the same'),
  times: z
    .int()
    .optional()
    .describe('how many of the same came in one request, or were refused within moments'),
})
export type AuditLine = z.output<typeof AuditLine>

export interface AuditQuery {
  readonly refused: boolean
  readonly agentId: string | undefined
  readonly since: Stamp | undefined
  readonly limit: number
}

export function isAskedFor({ outcome, agentId, at }: AuditLine, query: AuditQuery): boolean {
  if (query.refused && outcome === 'allowed') return false
  if (query.agentId !== undefined && agentId !== query.agentId) return false
  return query.since === undefined || at >= query.since
}

/** Faults about permission, and not about something else in the call. */
const REFUSALS: ReadonlySet<FaultKind> = new Set([
  'unauthorized',
  'forbidden',
  'not_member',
  'rate_limited',
  'body_too_large',
  'bad_headers',
  'headers_too_large',
  'unsupported_media_type',
])

export const isRefusal = (kind: FaultKind): boolean => REFUSALS.has(kind)

const ID_KEYS = [
  'contractId',
  'packetId',
  'repoId',
  'tokenId',
  'sessionId',
  'inviteId',
  'runId',
  'workId',
  'agentId',
] as const
const LONGEST_ID = 256

/** The project that a call was about, if its params or answer name it. */
export function projectIn(params: unknown, result: unknown): string | undefined {
  return idIn(result, 'projectId') ?? idIn(params, 'projectId')
}

/** The other ids that it was about. */
export function idsIn(params: unknown, result: unknown): readonly string[] | undefined {
  // The answer to sent work has its ids in `work`.
  const answer = isJsonObject(result) && isJsonObject(result['work']) ? result['work'] : result
  const ids = ID_KEYS.flatMap((key) => idIn(answer, key) ?? idIn(params, key) ?? [])
  return ids.length === 0 ? undefined : ids
}

function idIn(value: unknown, key: string): string | undefined {
  const id = isJsonObject(value) ? value[key] : undefined
  return typeof id === 'string' ? id.slice(0, LONGEST_ID) : undefined
}
