import { z } from 'zod'
import { FAULTS, type Fault, type FaultKind } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { RUN_FAILURES, type RunFailure } from '../../protocol/run/failure.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { ErrorDomain } from './presentation.ts'

/** The error domain of each kind of Fault, as the two Coreason documents name it. */
const DOMAINS: Record<FaultKind, ErrorDomain> = {
  parse_error: 'client',
  invalid_request: 'client',
  method_not_found: 'client',
  invalid_params: 'client',
  not_found: 'client',
  unknown_project: 'client',
  conflict: 'client',
  not_member: 'security',
  stale_cursor: 'client',
  idempotency_conflict: 'client',
  too_large: 'client',
  body_too_large: 'client',
  bad_headers: 'client',
  headers_too_large: 'client',
  unsupported_media_type: 'client',
  method_not_allowed: 'client',
  rate_limited: 'client',
  busy: 'system',
  session_busy: 'client',
  unsupported_work_type: 'client',
  unauthorized: 'security',
  forbidden: 'security',
  storage_full: 'system',
  outcome_unknown: 'system',
  unavailable: 'system',
  internal: 'system',
}

/** An error with everything that either of the two documents says about one. */
export interface ErrorFacts {
  readonly message: string
  /** Our own kind of Fault or of failure. */
  readonly kind: string
  /** The HTTP status; also part of an error event, when the stream has begun with 200 already. */
  readonly code: number
  readonly domain: ErrorDomain
  readonly retryable: boolean
  readonly details: JsonObject
}

export function factsOfFault({ kind, message, next, data }: Fault): ErrorFacts {
  const details = { ...data, ...(next === undefined ? {} : { next }) } as JsonObject
  const { http: code, retryable } = FAULTS[kind]
  return { kind, message, code, domain: DOMAINS[kind], retryable, details }
}

export function factsOfFailure({ kind, message, retryable, data }: RunFailure): ErrorFacts {
  const { http: code, domain } = RUN_FAILURES[kind]
  return { kind, message, code, domain, retryable, details: data as JsonObject }
}

export function factsOfCancel(reason: string): ErrorFacts {
  const message = reason === '' ? 'It was canceled' : `It was canceled: ${reason}`
  return { kind: 'canceled', message, code: 409, domain: 'system', retryable: false, details: {} }
}

/** The error of a run that ended without completing; undefined for one that completed. */
export function factsOfResult({ status, failure, reason }: RunResult): ErrorFacts | undefined {
  if (failure !== null) return factsOfFailure(failure)
  return status === 'canceled' ? factsOfCancel(reason ?? '') : undefined
}

/** The error of outputs that do not fit the schema of their capability; such outputs are not sent. */
export function factsOfOutputs(
  capability: string,
  { field, problem }: { field: string; problem: string },
): ErrorFacts {
  const where = field === '' ? '' : `${field} `
  return {
    ...factsOfFailure({
      kind: 'bad_output',
      message: `The answer is not what the capability ${capability} promises: ${where}${problem}`,
      retryable: false,
      data: {},
    }),
    details: { capability },
  }
}

/** The transport document writes domains in capitals, and calls the domain of the asker's mistakes LOGIC. */
const TRANSPORT_DOMAINS = {
  client: 'LOGIC',
  system: 'SYSTEM',
  llm: 'LLM',
  tool: 'TOOL',
  security: 'SECURITY',
} as const satisfies Record<ErrorDomain, string>

/** The data of the transport's error event, and the body of its error answers, without internals. */
export const TransportError = z
  .looseObject({
    error_message: z.string(),
    status: z.literal('ERROR'),
    code: z.int(),
    domain: z.enum(['SYSTEM', 'LLM', 'TOOL', 'LOGIC', 'SECURITY']),
    retryable: z.boolean(),
    kind: z.string().describe('A word for programs, such as invalid_params'),
    details: z.looseObject({ field: z.string().optional(), next: z.string().optional() }).optional(),
  })
  .meta({ id: 'TransportError' })

export function transportError({ message, kind, code, domain, retryable, details }: ErrorFacts) {
  return {
    error_message: message,
    status: 'ERROR',
    code,
    domain: TRANSPORT_DOMAINS[domain],
    retryable,
    kind,
    ...(Object.keys(details).length === 0 ? {} : { details }),
  } as const satisfies JsonObject
}
