import type { Envelope, Thread } from '../../protocol/chiffon/envelope.ts'
import { readWorkRequest } from '../../protocol/chiffon/payloads.ts'
import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { EMPTY_REQUEST, type RunRequest } from '../../protocol/run/request.ts'

/** A work_request as a run. What came with an earlier message of the same request stays as it was then. */
export function toRun(envelope: Envelope, known: RunRequest | undefined): RunRequest {
  const { task_id, work_type, parameters, hints } = readWorkRequest(envelope.payload)
  assertSameTask(task_id, known)
  const { max_duration_seconds, max_memory_mb } = hints
  return {
    ...EMPTY_REQUEST,
    request_id: envelope.request_id,
    dialect: 'chiffon',
    work_type,
    parameters,
    hints: defined({ max_duration_seconds, max_memory_mb }),
    // A repeated request may come with another trace id and is still the same request.
    lineage: known?.lineage ?? { trace_id: envelope.trace_id },
    wire: {
      task_id,
      trace_id: envelope.trace_id,
      from_agent: envelope.from_agent,
      to_agent: envelope.to_agent,
      x_custom_fields: envelope.x_custom_fields ?? {},
    },
  }
}

export function taskOf({ wire, request_id }: RunRequest): string {
  const { task_id } = wire
  return typeof task_id === 'string' ? task_id : request_id
}

/** The thread of messages that we send about a run by ourselves; `from` and `to` are as we send them. */
export function threadOfRun({ request_id, wire }: RunRequest): Thread {
  const { trace_id, from_agent, to_agent, x_custom_fields } = wire
  return {
    request_id,
    trace_id: String(trace_id),
    from_agent: to_agent as Thread['from_agent'],
    to_agent: from_agent as Thread['to_agent'],
    x_custom_fields: isJsonObject(x_custom_fields) ? x_custom_fields : ({} as JsonObject),
  }
}

/** The id of the task, which is part of the request although no runner uses it. */
function assertSameTask(task: string, known: RunRequest | undefined): void {
  if (known === undefined || taskOf(known) === task) return
  throw new Fault(
    'idempotency_conflict',
    `request_id: ${known.request_id} was used before for another task`,
    { next: 'Use a new request_id for a new request', data: { field: 'request_id' } },
  )
}
