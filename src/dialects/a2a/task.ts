import type { JsonObject } from '../../protocol/json/json.ts'
import { NO_RESULT, type RunResult } from '../../protocol/run/fold.ts'
import type { Run, RunStatus } from '../../protocol/run/run.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import { inExtension } from './extension.ts'
import { partOf } from './parts.ts'

/** All that is built here is JSON as A2A 1.0 writes it. */

const STATES: Record<RunStatus, string> = {
  created: 'TASK_STATE_SUBMITTED',
  in_progress: 'TASK_STATE_WORKING',
  completed: 'TASK_STATE_COMPLETED',
  failed: 'TASK_STATE_FAILED',
  canceled: 'TASK_STATE_CANCELED',
}

export const stateOf = (status: RunStatus): string => STATES[status]

/** A2A has times in milliseconds, we have microseconds. */
export const timeOf = (stamp: Stamp): string => `${stamp.slice(0, 23)}Z`

export interface Shown {
  /** The newest so many messages; all, when it is left out. */
  readonly historyLength?: number | undefined
  readonly artifacts?: boolean
}

/** The run as a task with its status and its artifacts so far; without a result, with its status alone. */
export function taskOf(
  run: Run,
  result: RunResult = { ...NO_RESULT, status: run.status, failure: run.failure },
  { historyLength, artifacts = true }: Shown = {},
): JsonObject {
  const history = [messageOf(run), ...result.steps.map((step, index) => stepMessage(run, step, index))]
  const shown = history.slice(Math.max(0, history.length - (historyLength ?? history.length)))
  const made = artifacts ? artifactsOf(run, result) : []
  const at = result.ended_at ?? run.ended_at ?? result.started_at ?? run.created_at
  return {
    id: run.run_id,
    contextId: contextOf(run),
    status: statusOf(run, result, at),
    ...(made.length === 0 ? {} : { artifacts: made }),
    ...(shown.length === 0 ? {} : { history: shown }),
    metadata: inExtension({
      workType: run.request.work_type,
      runner: run.runner,
      attempt: run.attempt,
      ...measuresOf(result),
    }),
  }
}

/** Every A2A request has one. */
export const contextOf = ({ request, run_id }: Run): string => request.session_id ?? run_id

type Ended = Pick<RunResult, 'status' | 'failure' | 'reason'>

/** A failure or a cancellation says why in a message of the agent. */
export function statusOf(run: Run, { status, failure, reason }: Ended, at: Stamp): JsonObject {
  const said = failure?.message ?? reason
  return {
    state: stateOf(status),
    timestamp: timeOf(at),
    ...(said === null || said === undefined ? {} : { message: agentMessage(run, 'end', said) }),
  }
}

export function measuresOf({ usage, duration_ms, exit_code, failure }: RunResult): JsonObject {
  return {
    ...(Object.keys(usage).length === 0 ? {} : { usage }),
    ...(duration_ms === null ? {} : { durationMs: duration_ms }),
    ...(exit_code === null ? {} : { exitCode: exit_code }),
    ...(failure === null ? {} : { failure: { kind: failure.kind, retryable: failure.retryable } }),
  }
}

type Step = Pick<RunResult['steps'][number], 'name' | 'output'>

export function stepMessage(run: Run, { name, output }: Step, index: number): JsonObject {
  return agentMessage(run, `step-${index + 1}`, output === '' ? name : `${name}: ${output}`)
}

/** The id of a message is derived, so that the same message always has the same id. */
export function agentMessage(run: Run, name: string, text: string): JsonObject {
  return {
    messageId: `${run.run_id}-${run.attempt}-${name}`,
    role: 'ROLE_AGENT',
    taskId: run.run_id,
    contextId: contextOf(run),
    parts: [{ text }],
  }
}

/** What was asked, as it came. */
function messageOf(run: Run): JsonObject {
  const { request_id, messages, wire } = run.request
  const { parts: about = [], ...rest } = wire as JsonObject & { parts?: readonly JsonObject[] }
  const content = messages.flatMap((message) => message.content)
  return {
    messageId: request_id,
    role: 'ROLE_USER',
    taskId: run.run_id,
    contextId: contextOf(run),
    parts: content.map((part, index) => partOf(part, about[index])),
    ...rest,
  }
}

function artifactsOf(run: Run, { text, content, citations, artifacts, output }: RunResult): JsonObject[] {
  const parts = [...(text === '' ? [] : [{ text }]), ...content.map((part) => partOf(part))]
  return [
    ...(parts.length + citations.length === 0
      ? []
      : [{ ...answerArtifact(run, parts.length === 0 ? [{ text: '' }] : parts), ...citing(citations) }]),
    ...artifacts.map(artifactOf),
    ...(output === null ? [] : [outputArtifact(run, output)]),
  ]
}

/** The text of the answer, and what else belongs to it. */
export const answerArtifact = (run: Run, parts: readonly JsonObject[]): JsonObject => ({
  artifactId: `${run.run_id}-answer`,
  name: 'answer',
  parts,
})

export const citing = (citations: RunResult['citations']): JsonObject =>
  citations.length === 0 ? {} : { metadata: inExtension({ citations: citations as readonly JsonObject[] }) }

export const outputArtifact = (run: Run, output: RunResult['output']): JsonObject => ({
  artifactId: `${run.run_id}-output`,
  name: 'output',
  parts: [{ data: output, mediaType: 'application/json' }],
})

export function artifactOf(artifact: RunResult['artifacts'][number]): JsonObject {
  const { artifact_id, name, mime_type, data, text, url } = artifact
  const body = data !== undefined ? { data } : text !== undefined ? { text } : { url: url ?? '' }
  return { artifactId: artifact_id, name, parts: [{ ...body, mediaType: mime_type }] }
}
