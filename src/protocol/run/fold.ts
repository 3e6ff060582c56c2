import type { Json } from '../json.ts'
import type { Stamp } from '../stamp.ts'
import type { ContentPart } from './content.ts'
import type { EndEvent, RunEvent, RunnerEvent } from './event.ts'
import type { RunFailure } from './failure.ts'
import type { RunStatus } from './run.ts'

type EventOf<Type extends RunnerEvent['type']> = Omit<Extract<RunnerEvent, { type: Type }>, 'type'>

/** Everything that the events of an attempt say together. */
export interface RunResult {
  readonly status: RunStatus
  readonly attempt: number
  /** All text deltas, in a row. */
  readonly text: string
  readonly reasoning: string
  /** The result as data; null where the text is all there is. */
  readonly output: Json
  /** 0 to 100; never falls, and is 100 when completed. */
  readonly progress: number
  readonly steps: readonly EventOf<'step'>[]
  readonly tool_calls: readonly EventOf<'tool_call'>[]
  readonly tool_outputs: readonly EventOf<'tool_output'>[]
  readonly citations: readonly EventOf<'citation'>[]
  readonly artifacts: readonly EventOf<'artifact'>[]
  readonly content: readonly ContentPart[]
  readonly usage: Readonly<Record<string, number>>
  readonly failure: RunFailure | null
  /** Why it was canceled, when it was. */
  readonly reason: string | null
  readonly exit_code: number | null
  readonly duration_ms: number | null
  readonly cpu_ms: number | null
  readonly started_at: Stamp | null
  readonly ended_at: Stamp | null
  /** Of the last event taken in; 0 before the first. */
  readonly last_sequence: number
}

export const NO_RESULT: RunResult = {
  status: 'created',
  attempt: 0,
  text: '',
  reasoning: '',
  output: null,
  progress: 0,
  steps: [],
  tool_calls: [],
  tool_outputs: [],
  citations: [],
  artifacts: [],
  content: [],
  usage: {},
  failure: null,
  reason: null,
  exit_code: null,
  duration_ms: null,
  cpu_ms: null,
  started_at: null,
  ended_at: null,
  last_sequence: 0,
}

export function foldRun(events: Iterable<RunEvent>): RunResult {
  let result = NO_RESULT
  for (const event of events) result = foldEvent(result, event)
  return result
}

/** One step of the fold, for whoever follows a run live and needs to know the sum at every moment. */
export function foldEvent(before: RunResult, event: RunEvent): RunResult {
  return { ...before, ...told(before, event), last_sequence: event.sequence }
}

function told(before: RunResult, event: RunEvent): Partial<RunResult> {
  switch (event.type) {
    case 'started':
      // An earlier attempt said things that no longer count.
      return { ...NO_RESULT, status: 'in_progress', attempt: event.attempt, started_at: event.at }
    case 'text':
      return { text: before.text + event.delta }
    case 'reasoning':
      return { reasoning: before.reasoning + event.delta }
    case 'step':
      return {
        steps: [...before.steps, bare(event)],
        progress: Math.max(before.progress, event.progress ?? 0),
      }
    case 'tool_call':
      return { tool_calls: [...before.tool_calls, bare(event)] }
    case 'tool_output':
      return { tool_outputs: [...before.tool_outputs, bare(event)] }
    case 'citation':
      return { citations: [...before.citations, bare(event)] }
    case 'artifact':
      return { artifacts: [...before.artifacts, bare(event)] }
    case 'content':
      return { content: [...before.content, event.part] }
    case 'usage':
      return { usage: { ...before.usage, ...event.usage } }
    case 'heartbeat':
      return {}
    case 'completed':
      return { ...ended(event), status: 'completed', output: event.output, progress: 100 }
    case 'failed': {
      const { kind, message, retryable, data } = event
      return { ...ended(event), status: 'failed', failure: { kind, message, retryable, data } }
    }
    case 'canceled':
      return { ...ended(event), status: 'canceled', reason: event.reason }
  }
}

function bare<Event extends RunEvent>({ type: _, sequence: __, at: ___, ...rest }: Event) {
  return rest
}

function ended({ at, exit_code, duration_ms, cpu_ms }: EndEvent): Partial<RunResult> {
  return { exit_code, duration_ms, cpu_ms, ended_at: at }
}
