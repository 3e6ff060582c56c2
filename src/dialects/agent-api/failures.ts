import { FAULTS, type Fault, type FaultKind } from '../../protocol/fault.ts'
import type { RunFailureKind } from '../../protocol/run/failure.ts'
import { type Stamp, secondsBetween, stampOfMillis } from '../../protocol/stamp.ts'
import { type WireResponse, wireResponse } from './objects.ts'

/** What this protocol calls each failure of a run: the codes of its own implementation where it has one. */
export const FAILURE_CODES: Readonly<Record<RunFailureKind, string>> = {
  interrupted: 'AGENT_INTERRUPTED',
  timeout: 'TIMEOUT',
  memory_limit: 'MEMORY_LIMIT_EXCEEDED',
  output_limit: 'OUTPUT_LIMIT_EXCEEDED',
  storage: 'STORAGE_FAILED',
  agent_failed: 'AGENT_EXECUTION_FAILED',
  bad_output: 'AGENT_BAD_OUTPUT',
  invalid_params: 'INVALID_PARAMETER',
  not_found: 'NOT_FOUND',
  internal: 'AGENT_UNKNOWN_ERROR',
}

/** A canceled run is sent as failed, because clients wait for ever after the status `canceled`. */
export const CANCELED_CODE = 'CANCELED'

/** The same for what is refused before a run starts. */
const REFUSAL_CODES: Readonly<Record<FaultKind, string>> = {
  parse_error: 'INVALID_REQUEST',
  invalid_request: 'INVALID_REQUEST',
  method_not_found: 'NOT_FOUND',
  invalid_params: 'INVALID_PARAMETER',
  not_found: 'NOT_FOUND',
  unknown_project: 'NOT_FOUND',
  conflict: 'CONFLICT',
  not_member: 'FORBIDDEN',
  stale_cursor: 'STALE_CURSOR',
  idempotency_conflict: 'IDEMPOTENCY_CONFLICT',
  too_large: 'REQUEST_TOO_LARGE',
  body_too_large: 'REQUEST_TOO_LARGE',
  bad_headers: 'INVALID_REQUEST',
  headers_too_large: 'REQUEST_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  method_not_allowed: 'METHOD_NOT_ALLOWED',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  busy: 'RATE_LIMIT_EXCEEDED',
  session_busy: 'SESSION_BUSY',
  unsupported_work_type: 'INVALID_PARAMETER',
  unauthorized: 'UNAUTHORIZED',
  forbidden: 'FORBIDDEN',
  storage_full: 'STORAGE_FULL',
  outcome_unknown: 'OUTCOME_UNKNOWN',
  unavailable: 'UNAVAILABLE',
  internal: 'AGENT_UNKNOWN_ERROR',
}

const EPOCH = stampOfMillis(0)

/** Whole seconds since 1970. */
export const epochSeconds = (stamp: Stamp): number => secondsBetween(EPOCH, stamp)

/** The body of an error answer: a response that failed before it began. */
export function refusal(
  fault: Fault,
  { id, now }: { id: string; now: Stamp },
): {
  http: number
  body: WireResponse
} {
  const { http } = FAULTS[fault.kind]
  const error = { code: REFUSAL_CODES[fault.kind], message: fault.message, ...fault.details }
  const status = http >= 500 ? 'failed' : 'rejected'
  return {
    http,
    body: wireResponse({ status, id, created_at: epochSeconds(now), error, session_id: null }),
  }
}
