import type { FaultKind } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { CallerKind } from '../env.ts'

/** One access decision. It contains names and ids only: no content and no secret. */
export interface AuditLine {
  readonly at: Stamp
  /** `lost`: this many lines before this one could not be written. */
  readonly outcome: 'allowed' | 'refused' | 'lost'
  /** Why it was refused, or how it failed although it was allowed. */
  readonly fault?: FaultKind | undefined
  /** Missing if the request was refused before its caller was identified. */
  readonly caller?: CallerKind | undefined
  readonly agentId?: string | undefined
  /** What authenticated the caller: the start of its key's hash, or the id of its token. */
  readonly credential?: string | undefined
  /** The caller's address. Missing if this daemon itself fetched something from that agent. */
  readonly from?: string | undefined
  /** The method or route. */
  readonly what: string
  readonly projectId?: string | undefined
  /** The ids in the params or answer. For several calls of one request, those of all calls. */
  readonly ids?: readonly string[] | undefined
  /** The same for all calls of a batch; equal calls in one project are one line. */
  readonly requestId?: string | undefined
  /** How many equal calls came in one request, or were refused within moments. */
  readonly times?: number | undefined
}

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
  let ids: string[] | undefined
  // The answer to sent work has its ids in `work`.
  const answer = isJsonObject(result) && isJsonObject(result['work']) ? result['work'] : result
  for (const key of ID_KEYS) {
    const id = idIn(answer, key) ?? idIn(params, key)
    if (id === undefined) continue
    ids ??= []
    ids.push(id)
  }
  return ids
}

function idIn(value: unknown, key: string): string | undefined {
  const id = isJsonObject(value) ? value[key] : undefined
  return typeof id === 'string' ? id.slice(0, LONGEST_ID) : undefined
}
