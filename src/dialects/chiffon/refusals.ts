import { CHIFFON_ERRORS, type ChiffonCode, type ChiffonError } from '../../protocol/chiffon/errors.ts'
import type { Fault, FaultKind } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'

/** The protocol's code for each way a message can be refused. */
const CODES: Record<FaultKind, ChiffonCode> = {
  parse_error: 5003,
  invalid_request: 5003,
  method_not_found: 5003,
  invalid_params: 5003,
  not_found: 5003,
  unknown_project: 5003,
  conflict: 5003,
  not_member: 5004,
  stale_cursor: 5003,
  idempotency_conflict: 5003,
  too_large: 5003,
  body_too_large: 5003,
  bad_headers: 5003,
  headers_too_large: 5003,
  unsupported_media_type: 5003,
  method_not_allowed: 5003,
  rate_limited: 5005,
  busy: 5005,
  session_busy: 5005,
  unsupported_work_type: 5006,
  unauthorized: 5004,
  forbidden: 5004,
  storage_full: 5002,
  outcome_unknown: 5002,
  unavailable: 5002,
  internal: 5002,
}

/** Kinds of Fault with an HTTP status of their own, because clients and proxies act on it. */
const STATUSES: Partial<Record<FaultKind, number>> = { body_too_large: 413, unsupported_media_type: 415 }

export interface Refused {
  /** Of the agent that refuses. */
  readonly agentId: string
  /** The agent ID of the caller, as far as it is known. */
  readonly asker: string
  readonly tokenStatus: TokenStatus
  readonly workTypes: readonly string[]
}

export type TokenStatus = 'missing' | 'invalid' | 'not_allowed'

export interface Refusal {
  readonly http: number
  readonly error: ChiffonError
}

/** A Fault as an error of this protocol, with the context that its code demands. */
export function refusalOf(fault: Fault, about: Refused): Refusal {
  const code = CODES[fault.kind]
  return {
    http: STATUSES[fault.kind] ?? CHIFFON_ERRORS[code].http,
    error: {
      error_code: code,
      error_message: fault.next === undefined ? fault.message : `${fault.message}. ${fault.next}`,
      error_context: contextOf(code, fault, about),
    },
  }
}

function contextOf(code: ChiffonCode, { message, data }: Fault, about: Refused): JsonObject {
  switch (code) {
    case 5003:
      return { validation_error: message, field_name: textOr(data['field'], null) }
    case 5004:
      return { agent_id: about.asker, token_status: about.tokenStatus }
    case 5005:
      return {
        limit_name: textOr(data['limit_name'], 'concurrent_runs'),
        available: wholeOr(data['available'], 0),
        required: wholeOr(data['required'], 1),
      }
    case 5006:
      return {
        work_type_requested: textOr(data['work_type_requested'], ''),
        supported_types: about.workTypes,
        ...(data['supported_versions'] === undefined
          ? {}
          : { supported_versions: data['supported_versions'] as readonly string[] }),
      }
    default:
      return { agent_id: about.agentId, last_heartbeat: null }
  }
}

const textOr = <Other>(value: unknown, other: Other): string | Other =>
  typeof value === 'string' ? value : other

export const wholeOr = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : other
