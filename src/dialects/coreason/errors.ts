import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { FAULTS, type Fault, type FaultKind } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import { RUN_FAILURES, type RunFailure } from '../../protocol/run/failure.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import type { ErrorDomain } from './presentation.ts'

/** The error domain of a kind of Fault, as the two Coreason documents name it. */
function domainOf(kind: FaultKind): ErrorDomain {
  const { http } = FAULTS[kind]
  if (http === 401 || http === 403) return 'security'
  return http >= 500 || kind === 'busy' ? 'system' : 'client'
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
  const details = { ...data, ...defined({ next }) } as JsonObject
  const { http: code, retryable } = FAULTS[kind]
  return { kind, message, code, domain: domainOf(kind), retryable, details }
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
  const message = `The answer is not what the capability ${capability} promises: ${where}${problem}`
  return factsOfFailure({ kind: 'bad_output', message, retryable: false, data: { capability } })
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
    ...detailed(details),
  } as const satisfies JsonObject
}

/** An error as a UserErrorEvent: what user interfaces of the wire format can show. */
export function userError({ message, code, domain, retryable, kind, details }: ErrorFacts): JsonObject {
  return { type: 'user_error', message, code, domain, retryable, kind, ...detailed(details) }
}

/** Details that there are none of are left out. */
export const detailed = (details: JsonObject): { details?: JsonObject } =>
  Object.keys(details).length === 0 ? {} : { details }
