import { FAULTS, type Fault, type FaultKind } from '../../protocol/fault.ts'
import type { RunFailureKind } from '../../protocol/run/failure.ts'
import { epochSeconds, type Stamp } from '../../protocol/stamp.ts'
import { wireResponse } from './objects.ts'

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

/** The same for what is refused before a run starts, where it is not our own word in capitals. */
const REFUSAL_CODES: Readonly<Partial<Record<FaultKind, string>>> = {
  parse_error: 'INVALID_REQUEST',
  method_not_found: 'NOT_FOUND',
  invalid_params: 'INVALID_PARAMETER',
  unknown_project: 'NOT_FOUND',
  not_member: 'FORBIDDEN',
  too_large: 'REQUEST_TOO_LARGE',
  body_too_large: 'REQUEST_TOO_LARGE',
  bad_headers: 'INVALID_REQUEST',
  headers_too_large: 'REQUEST_TOO_LARGE',
  rate_limited: 'RATE_LIMIT_EXCEEDED',
  busy: 'RATE_LIMIT_EXCEEDED',
  unsupported_work_type: 'INVALID_PARAMETER',
  internal: 'AGENT_UNKNOWN_ERROR',
}

/** The body of an error answer: a response that failed before it began. */
export function refusal(fault: Fault, { id, now }: { id: string; now: Stamp }) {
  const { http } = FAULTS[fault.kind]
  const code = REFUSAL_CODES[fault.kind] ?? fault.kind.toUpperCase()
  const error = { code, message: fault.message, ...fault.details }
  const status = http >= 500 ? 'failed' : 'rejected'
  return {
    http,
    body: wireResponse({ status, id, created_at: epochSeconds(now), error, session_id: null }),
  }
}
