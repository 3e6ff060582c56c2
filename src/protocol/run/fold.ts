import type { Json } from '../json/json.ts'
import type { Stamp } from '../stamp.ts'
import type { ContentPart } from './content.ts'
import type { EndEvent, RunEvent, RunnerEvent } from './event.ts'
import type { RunFailure } from './failure.ts'
import type { RunStatus } from './run.ts'

type EventOf<Type extends RunnerEvent['type']> = Omit<Extract<RunnerEvent, { type: Type }>, 'type'>

/** The result before the first event. */
export const NO_RESULT = {
  status: 'created' as RunStatus,
  attempt: 0,
  /** All text deltas, concatenated. */
  text: '',
  reasoning: '',
  /** The result as data; null if there is only text. */
  output: null as Json,
  /** 0 to 100; never decreases, and is 100 when completed. */
  progress: 0,
  steps: [] as readonly EventOf<'step'>[],
  tool_calls: [] as readonly EventOf<'tool_call'>[],
  tool_outputs: [] as readonly EventOf<'tool_output'>[],
  citations: [] as readonly EventOf<'citation'>[],
  artifacts: [] as readonly EventOf<'artifact'>[],
  content: [] as readonly ContentPart[],
  usage: {} as Readonly<Record<string, number>>,
  failure: null as RunFailure | null,
  /** Why it was canceled, if it was. */
  reason: null as string | null,
  exit_code: null as number | null,
  duration_ms: null as number | null,
  cpu_ms: null as number | null,
  started_at: null as Stamp | null,
  ended_at: null as Stamp | null,
  /** Sequence number of the last event. */
  last_sequence: 0,
}

/** The result of all events of an attempt. */
export type RunResult = Readonly<typeof NO_RESULT>

type Growing = {
  -readonly [Key in keyof RunResult]: RunResult[Key] extends readonly (infer Item)[] ? Item[] : RunResult[Key]
}

/** Copies the lists, so that they can grow in place. */
const growing = (before: RunResult): Growing => {
  const copies = Object.entries(before).map(([key, one]) => [key, Array.isArray(one) ? [...one] : one])
  return Object.fromEntries(copies)
}

/** The fold step by step. It changes its result in place, because a run may have too many events to copy it at each. */
export class RunSum {
  #sum: Growing

  constructor(before: RunResult = NO_RESULT) {
    this.#sum = growing(before)
  }

  /** The result so far; the next event changes it. */
  get result(): RunResult {
    return this.#sum
  }

  add(event: RunEvent): this {
    // The events of an earlier attempt do not count any more.
    if (event.type === 'started') this.#sum = growing(NO_RESULT)
    take(this.#sum, event)
    this.#sum.last_sequence = event.sequence
    return this
  }
}

function take(sum: Growing, event: RunEvent): void {
  switch (event.type) {
    case 'started':
      Object.assign(sum, { status: 'in_progress', attempt: event.attempt, started_at: event.at })
      return
    case 'text':
      sum.text += event.delta
      return
    case 'reasoning':
      sum.reasoning += event.delta
      return
    case 'step':
      sum.steps.push(bare(event))
      sum.progress = Math.max(sum.progress, event.progress ?? 0)
      return
    case 'tool_call':
      sum.tool_calls.push(bare(event))
      return
    case 'tool_output':
      sum.tool_outputs.push(bare(event))
      return
    case 'citation':
      sum.citations.push(bare(event))
      return
    case 'artifact':
      sum.artifacts.push(bare(event))
      return
    case 'content':
      sum.content.push(event.part)
      return
    case 'usage':
      sum.usage = { ...sum.usage, ...event.usage }
      return
    case 'heartbeat':
      return
    case 'completed':
      Object.assign(sum, ended(event), { output: event.output, progress: 100 })
      return
    case 'failed': {
      const { kind, message, retryable, data } = event
      Object.assign(sum, ended(event), { failure: { kind, message, retryable, data } })
      return
    }
    case 'canceled':
      Object.assign(sum, ended(event), { reason: event.reason })
      return
  }
}

/** What an event says, without what every event has. */
export function bare<Event extends RunEvent>({ type: _, sequence: __, at: ___, ...rest }: Event) {
  return rest
}

function ended({ type: status, at, exit_code, duration_ms, cpu_ms }: EndEvent): Partial<RunResult> {
  return { status, exit_code, duration_ms, cpu_ms, ended_at: at }
}
