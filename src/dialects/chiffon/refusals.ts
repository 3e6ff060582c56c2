import { CHIFFON_ERRORS, type ChiffonCode, type ChiffonError } from '../../protocol/chiffon/errors.ts'
import { FAULTS, type Fault, type FaultKind } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'

/** The protocol's code for a way in which a message can be refused: mostly, its HTTP status tells. */
function codeOf(kind: FaultKind): ChiffonCode {
  const { http } = FAULTS[kind]
  if (kind === 'unsupported_work_type') return 5006
  if (http === 429 || kind === 'session_busy') return 5005
  if (http === 401 || http === 403) return 5004
  return http >= 500 ? 5002 : 5003
}

/** Kinds of Fault with an HTTP status of their own, because clients and proxies act on it. */
const STATUSES: Partial<Record<FaultKind, number>> = { body_too_large: 413, unsupported_media_type: 415 }

export interface Refused {
  /** Of the agent that refuses. */
  readonly agentId: string
  /** The agent ID of the caller, as far as it is known. */
  readonly asker: string
  readonly tokenStatus: 'missing' | 'invalid' | 'not_allowed'
  readonly workTypes: readonly string[]
}

/** A Fault as an error of this protocol, with the context that its code demands. */
export function refusalOf(fault: Fault, about: Refused): { http: number; error: ChiffonError } {
  const code = codeOf(fault.kind)
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
      return limitContext(data, 'concurrent_runs')
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

/** The context of 5005; `limit` is the one that is meant where the data names none. */
export const limitContext = (data: Readonly<Record<string, unknown>>, limit: string): JsonObject => ({
  limit_name: textOr(data['limit_name'], limit),
  available: wholeOr(data['available'], 0),
  required: wholeOr(data['required'], 1),
})

const textOr = <Other>(value: unknown, other: Other): string | Other =>
  typeof value === 'string' ? value : other

const wholeOr = (value: unknown, other: number): number =>
  typeof value === 'number' && Number.isFinite(value) ? Math.round(value) : other
