import type { RunEvent, RunEventBody, RunnerEvent } from '../../../src/protocol/run/event.ts'
import { type RunResult, RunSum } from '../../../src/protocol/run/fold.ts'
import { EMPTY_REQUEST, type RunRequest } from '../../../src/protocol/run/request.ts'
import { stampOfMillis } from '../../../src/protocol/stamp.ts'

const NOON = Date.UTC(2026, 0, 19, 12)

/** The events of a run as the engine numbers and stamps them, one a second. */
export function numbered(bodies: readonly RunEventBody[], first = 1): RunEvent[] {
  return bodies.map((body, index) => ({
    ...body,
    sequence: first + index,
    at: stampOfMillis(NOON + (first + index) * 1000),
  }))
}

/** The result of these events. */
export function foldRun(events: Iterable<RunEvent>): RunResult {
  const sum = new RunSum()
  for (const event of events) sum.add(event)
  return sum.result
}

const MEASURED = { attempt: 1, duration_ms: 1200, exit_code: null, cpu_ms: null }

/** A whole run that tells this and completes. */
export function completedRun(told: readonly RunnerEvent[], output: string | null = null): RunEvent[] {
  return numbered([
    { type: 'started', attempt: 1, runner: 'librarian' },
    ...told,
    { type: 'completed', output, ...MEASURED },
  ])
}

/** A whole run that tells this and then fails. */
export function failedRun(told: readonly RunnerEvent[]): RunEvent[] {
  return numbered([
    { type: 'started', attempt: 1, runner: 'command' },
    ...told,
    {
      type: 'failed',
      kind: 'agent_failed',
      message: 'The agent ended with code 3',
      retryable: false,
      data: {},
      ...MEASURED,
      exit_code: 3,
    },
  ])
}

export const text = (delta: string): RunnerEvent => ({ type: 'text', delta })

/** Text that breaks careless framing. */
export const ODD_TEXT = 'one\ntwo\r\nthree\rdata: four\n\n\u2028\u2029😀 {"a":1} : id: 7\u0000é'

export function requestWith(part: Partial<RunRequest> = {}): RunRequest {
  return { ...EMPTY_REQUEST, request_id: 'r1', dialect: 'cap', ...part }
}
