import { chunksOf, rangeText, tailOf } from '../../protocol/chiffon/chunks.ts'
import type { Message } from '../../protocol/chiffon/envelope.ts'
import type { ChiffonCode } from '../../protocol/chiffon/errors.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { RunFailure, RunFailureKind } from '../../protocol/run/failure.ts'
import type { RunResult } from '../../protocol/run/fold.ts'
import { limitContext } from './refusals.ts'

/** What each failure of a run becomes: an error with that code, or a result whose work did not succeed. */
const ENDS: Record<RunFailureKind, ChiffonCode | 'failed'> = {
  interrupted: 5002,
  timeout: 5001,
  memory_limit: 5005,
  output_limit: 'failed',
  storage: 5002,
  agent_failed: 'failed',
  bad_output: 'failed',
  invalid_params: 5003,
  not_found: 5003,
  internal: 5002,
}

/** The exit code of a process that was ended by a signal, as shells number it. */
const CANCELED = 130

export interface Ending {
  readonly task_id: string
  readonly agentId: string
}

/** The last messages about a run that has ended: an output that is too long for one, then the one end. */
export function endMessages(result: RunResult, { task_id, agentId }: Ending): readonly Message[] {
  const { failure } = result
  const code = failure === null ? 'failed' : ENDS[failure.kind]
  if (failure !== null && code !== 'failed')
    return [{ type: 'error', payload: errorPayload(code, failure, result, agentId) }]
  const output = outputOf(result)
  const chunks = chunksOf(output)
  const end: Message = {
    type: 'work_result',
    payload: resultPayload(result, task_id, output, chunks !== undefined),
  }
  const step = result.steps.at(-1)
  const statuses = (chunks ?? []).map(
    (chunk): Message => ({
      type: 'work_status',
      payload: {
        task_id,
        status: 'running',
        progress_percent: result.progress,
        step: {
          number: step?.number ?? 0,
          name: step?.name ?? 'output',
          output: chunk.text,
          output_chunk: rangeText(chunk),
        },
      },
    }),
  )
  return [...statuses, end]
}

/** The text of the run, or its result as data where it has no text; then the message of its failure. */
function outputOf({ text, output, failure, reason, status }: RunResult): string {
  const said = text === '' && output !== null ? JSON.stringify(output) : text
  const problem = failure?.message ?? (status === 'canceled' ? `Canceled: ${reason}` : undefined)
  return problem === undefined ? said : [said, problem].filter((part) => part !== '').join('\n')
}

function resultPayload(result: RunResult, task_id: string, output: string, isLong: boolean): JsonObject {
  const { status, exit_code, failure, attempt, citations, artifacts } = result
  const isSuccess = status === 'completed'
  const tail = isLong ? tailOf(output) : undefined
  const code = exit_code ?? (status === 'canceled' ? CANCELED : 1)
  return {
    task_id,
    status: isSuccess ? 'success' : 'failed',
    exit_code: isSuccess ? 0 : Math.max(code, 1),
    output: tail?.text ?? output,
    ...(tail === undefined ? {} : { output_chunk: rangeText(tail) }),
    resources_used: {
      duration_seconds: Math.round((result.duration_ms ?? 0) / 1000),
      gpu_vram_mb: 0,
      ...(result.cpu_ms === null ? {} : { cpu_time_ms: result.cpu_ms }),
    },
    ...(isSuccess ? {} : { error_message: failure?.message ?? `Canceled: ${result.reason}` }),
    ...(attempt > 1 ? { attempt } : {}),
    ...(citations.length === 0 ? {} : { citations: citations.slice(0, 100) as unknown as Json }),
    ...(artifacts.length === 0 || isLong ? {} : { artifacts: named(artifacts) }),
  }
}

/** Their content can be large; whoever wants it asks for it by its id. */
const named = (artifacts: RunResult['artifacts']): Json =>
  artifacts.slice(0, 100).map(({ artifact_id, name, mime_type }) => ({ artifact_id, name, mime_type }))

function errorPayload(
  code: ChiffonCode,
  { message, data }: RunFailure,
  { attempt, ended_at }: RunResult,
  agentId: string,
): JsonObject {
  return { error_code: code, error_message: message, error_context: context() }

  function context(): JsonObject {
    switch (code) {
      case 5001:
        return { attempted_retries: Math.max(attempt - 1, 0), last_attempt: ended_at }
      case 5003:
        return { validation_error: message, field_name: fieldOf(data['field']) }
      case 5005:
        return limitContext(data, 'memory_mb')
      default:
        return { agent_id: agentId, last_heartbeat: ended_at }
    }
  }
}

const fieldOf = (field: unknown): string =>
  typeof field === 'string'
    ? `payload.parameters.${field.replace(/^parameters\./, '')}`
    : 'payload.parameters'
