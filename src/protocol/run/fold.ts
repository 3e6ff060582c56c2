import type { Json } from '../json/json.ts'
import type { Stamp } from '../stamp.ts'
import type { ContentPart } from './content.ts'
import type { EndEvent, RunEvent, RunnerEvent } from './event.ts'
import type { RunFailure } from './failure.ts'
import type { RunStatus } from './run.ts'

type EventOf<Type extends RunnerEvent['type']> = Omit<Extract<RunnerEvent, { type: Type }>, 'type'>

/** The result of all events of an attempt. */
export interface RunResult {
  readonly status: RunStatus
  readonly attempt: number
  /** All text deltas, concatenated. */
  readonly text: string
  readonly reasoning: string
  /** The result as data; null if there is only text. */
  readonly output: Json
  /** 0 to 100; never decreases, and is 100 when completed. */
  readonly progress: number
  readonly steps: readonly EventOf<'step'>[]
  readonly tool_calls: readonly EventOf<'tool_call'>[]
  readonly tool_outputs: readonly EventOf<'tool_output'>[]
  readonly citations: readonly EventOf<'citation'>[]
  readonly artifacts: readonly EventOf<'artifact'>[]
  readonly content: readonly ContentPart[]
  readonly usage: Readonly<Record<string, number>>
  readonly failure: RunFailure | null
  /** Why it was canceled, if it was. */
  readonly reason: string | null
  readonly exit_code: number | null
  readonly duration_ms: number | null
  readonly cpu_ms: number | null
  readonly started_at: Stamp | null
  readonly ended_at: Stamp | null
  /** Sequence number of the last event; 0 before the first. */
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
