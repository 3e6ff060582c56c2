import { z } from 'zod'
import { FAULTS, type Fault, type FaultKind } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { RUN_FAILURES, type RunFailure } from '../../protocol/run/failure.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { ErrorDomain } from './presentation.ts'

/** Whose matter each way of being refused is, in the words of the two Coreason documents. */
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

/** Everything that either document tells of an error, whenever it happens. */
export interface Trouble {
  readonly message: string
  /** Our own word for it. */
  readonly kind: string
  /** The HTTP status; the same number is told when the stream has already begun. */
  readonly code: number
  readonly domain: ErrorDomain
  readonly retryable: boolean
  readonly details: JsonObject
}

export function troubleOfFault({ kind, message, next, data }: Fault): Trouble {
  const details = { ...data, ...(next === undefined ? {} : { next }) } as JsonObject
  const { http: code, retryable } = FAULTS[kind]
  return { kind, message, code, domain: DOMAINS[kind], retryable, details }
}

export function troubleOfFailure({ kind, message, retryable, data }: RunFailure): Trouble {
  const { http: code, domain } = RUN_FAILURES[kind]
  return { kind, message, code, domain, retryable, details: data as JsonObject }
}

export function troubleOfCancel(reason: string): Trouble {
  const message = reason === '' ? 'It was canceled' : `It was canceled: ${reason}`
  return { kind: 'canceled', message, code: 409, domain: 'system', retryable: false, details: {} }
}

/** Why a run that has ended did not complete; undefined for one that did. */
export function troubleOf({ status, failure, reason }: RunResult): Trouble | undefined {
  if (failure !== null) return troubleOfFailure(failure)
  return status === 'canceled' ? troubleOfCancel(reason ?? '') : undefined
}

/** An answer that is not what the capability promises is not given out. */
export function troubleOfOutputs(
  capability: string,
  { field, problem }: { field: string; problem: string },
): Trouble {
  const where = field === '' ? '' : `${field} `
  return {
    ...troubleOfFailure({
      kind: 'bad_output',
      message: `The answer is not what the capability ${capability} promises: ${where}${problem}`,
      retryable: false,
      data: {},
    }),
    details: { capability },
  }
}

/** The transport's domains are written in capitals, and what is the asker's own doing is called logic. */
const TRANSPORT_DOMAINS = {
  client: 'LOGIC',
  system: 'SYSTEM',
  llm: 'LLM',
  tool: 'TOOL',
  security: 'SECURITY',
} as const satisfies Record<ErrorDomain, string>

/** The data of the transport's error event, and the body of its error answers: nothing of the inside. */
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

export function transportError({ message, kind, code, domain, retryable, details }: Trouble) {
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
