import type { Assembly } from '../../protocol/chiffon/assembly.ts'
import { type Span, spansText } from '../../protocol/chiffon/chunks.ts'
import { type ChiffonError, isRetryable } from '../../protocol/chiffon/errors.ts'
import { ENDS, type WorkResult } from '../../protocol/chiffon/payloads.ts'
import type { Fault } from '../../protocol/fault.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { WorkError, WorkOutcome } from '../../protocol/work.ts'

/** How one attempt ended: with a result, or without one. */
export type Ending = Resulted | Failed

export interface Resulted {
  readonly outcome: WorkOutcome
  readonly status: (typeof ENDS)[keyof typeof ENDS]
  /** Why its output is incomplete; undefined when it is complete. */
  readonly incomplete: string | undefined
  readonly error?: undefined
}

export interface Failed {
  readonly error: WorkError
  readonly outcome?: undefined
  readonly incomplete?: undefined
}

/**
 * The ending for a result; a long output is assembled from the chunks that came before. Work with an incomplete
 * output does not count as completed.
 */
export function endingOf(result: WorkResult, assembly: Assembly): Resulted {
  const { output_chunk, output } = result
  if (output_chunk !== undefined) assembly.add(output_chunk, output)
  const missing = assembly.missing()
  const incomplete = assembly.problem ?? missingRanges(missing)
  const reported = ENDS[result.status]
  const status = reported === 'completed' && incomplete !== undefined ? 'failed' : reported
  return {
    outcome: {
      is_success: status === 'completed',
      exit_code: result.exit_code,
      output: assembly.text() ?? output,
      missing,
      resources_used: bounded(result.resources_used),
      attempt: result.attempt ?? 1,
    },
    status,
    incomplete,
  }
}

const NAMED_GAPS = 5

function missingRanges(gaps: readonly Span[]): string | undefined {
  if (gaps.length === 0) return undefined
  const more = gaps.length > NAMED_GAPS ? ` and ${gaps.length - NAMED_GAPS} ranges more` : ''
  return `bytes ${spansText(gaps.slice(0, NAMED_GAPS))}${more} never came`
}

/** For work whose output stayed incomplete although it was asked for again. */
export const incompleteOutput = (why: string): WorkError =>
  failure(5003, `The output did not come whole: ${why}`, {
    validation_error: why,
    field_name: 'output_chunk',
  }).error

export function errorEnding({ error_code, error_message, error_context }: ChiffonError): Ending {
  return failure(error_code, error_message.slice(0, 10_000).toWellFormed(), bounded(error_context))
}

const KEPT_JSON_LENGTH = 64 * 1024

const bounded = (about: JsonObject): JsonObject =>
  JSON.stringify(about).length > KEPT_JSON_LENGTH ? {} : about

/** The agent could not be reached. */
export const absent = (message: string, agentId: string, lastHeartbeat: Stamp | null = null): Failed =>
  failure(5002, message, { agent_id: agentId, last_heartbeat: lastHeartbeat })

export function failure(code: number, message: string, context: JsonObject): Failed {
  return { error: { code, message, retryable: isRetryable(code), context } }
}

/** For an answer that is no message of the protocol: only its HTTP status is known. */
export function endingOfStatus(status: number, agentId: string): Ending {
  const message = `The agent answered ${status} with something that is no message`
  if (status === 401 || status === 403)
    return failure(5004, message, { agent_id: agentId, token_status: 'invalid' })
  if (status >= 500 || status === 429) return absent(message, agentId)
  return failure(5003, message, { validation_error: message, field_name: null })
}

/** For a message of the agent that is not valid. */
export function endingOfBadMessage({ message, data }: Fault): Ending {
  const field = data['field']
  return failure(5003, `The agent sent a message that cannot be taken: ${message}`, {
    validation_error: message,
    field_name: typeof field === 'string' ? field : null,
  })
}
