import type { FaultKind } from '../../protocol/fault.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { CallerKind } from '../env.ts'

/** One decision about access. Names and ids only: nothing that somebody wrote, and no secret. */
export interface AuditLine {
  readonly at: Stamp
  /** `lost`: so many lines before this one could not be written. */
  readonly outcome: 'allowed' | 'refused' | 'lost'
  /** Why it was refused; or how it failed although it was allowed. */
  readonly fault?: FaultKind | undefined
  /** Absent when the request was refused before anybody looked who sends it. */
  readonly caller?: CallerKind | undefined
  readonly agentId?: string | undefined
  /** What the caller was let in by: the start of the hash of its key, or the id of its token. */
  readonly credential?: string | undefined
  /** The address of whoever called. Absent when this daemon itself fetched something from that agent. */
  readonly from?: string | undefined
  /** The method or route. */
  readonly what: string
  readonly projectId?: string | undefined
  /** What it was about, where params or answer name it. Of several calls of one request, what all were about. */
  readonly ids?: readonly string[] | undefined
  /** Calls of one batch have the same; those that did the same in one project are one line. */
  readonly requestId?: string | undefined
  /** How many of the same came in one request, or were refused within moments. */
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

/** Faults that say who may do what, and not that something else is wrong with the call. */
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

/** The project that a call was about, as far as its params or its answer name it. */
export function projectIn(params: unknown, result: unknown): string | undefined {
  return idIn(result, 'projectId') ?? idIn(params, 'projectId')
}

/** The rest of what it was about. */
export function idsIn(params: unknown, result: unknown): readonly string[] | undefined {
  let ids: string[] | undefined
  // Work that was sent stands in the answer under its own name.
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
