import { Fault } from '../../protocol/fault.ts'
import type { Measured, RunEnd, RunnerEvent } from '../../protocol/run/event.ts'
import { RUN_FAILURES } from '../../protocol/run/failure.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import { partsOf } from '../../protocol/text/split.ts'
import { type Outcome, type Problem, type RunContext, RunError } from '../ports/run-ports.ts'
import { RUN_BOUNDS } from './rules.ts'
import type { RunLog } from './run-log.ts'
import { NOT_STORED } from './run-state.ts'
import type { TrackedRunDeps, Work } from './tracked-run.ts'

export interface AttemptParts
  extends Work,
    Pick<TrackedRunDeps, 'rules' | 'timers' | 'report'>,
    Pick<RunContext, 'runId' | 'attempt' | 'asker'> {
  readonly request: RunRequest
  readonly log: RunLog
}

/** Why an attempt was ended from outside. */
type Stop = { readonly canceled: string } | { readonly problem: Problem }

export type Attempt = ReturnType<typeof createAttempt>

/** One attempt at the work: hands it to the runner, logs the runner's events, enforces the bounds, makes the end. */
export function createAttempt(parts: AttemptParts) {
  const { runId, attempt, request, asker, runner, log, rules, timers, history, report } = parts
  const controller = new AbortController()
  const { signal } = controller
  const begun = timers.millis()
  let lastEventAt = begun
  let stop: Stop | undefined
  let progress = 0
  let stopHeartbeat = () => {}

  return { work, fail, cancel: (reason: string) => end({ canceled: reason }) }

  /** Answers the end event. Never throws: whatever goes wrong is a failure in that event. */
  async function work(): Promise<RunEnd> {
    const { max_duration_seconds: hint = Number.POSITIVE_INFINITY } = request.hints
    const millis = Math.min(hint * 1000, rules.maxMillis)
    const cancelTimer = timers.after(millis, () =>
      fail({
        kind: 'timeout',
        message: `It took longer than ${Math.round(millis / 1000)} s`,
        data: { seconds: millis / 1000 },
      }),
    )
    planHeartbeat()
    try {
      const working = runner.run(request, { runId, attempt, asker, history, signal, emit })
      return endOf(await orGivenUp(working))
    } catch (error) {
      return endOf({ failure: problemOf(error) })
    } finally {
      cancelTimer()
      stopHeartbeat()
      controller.abort()
    }
  }

  function fail(problem: Problem): void {
    end({ problem })
  }

  function end(why: Stop): void {
    if (stop !== undefined || signal.aborted) return
    stop = why
    controller.abort()
  }

  /** A runner that goes on long after the signal is not waited for. */
  function orGivenUp(working: Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      let forget = () => {}
      const giveUp = () => {
        forget = timers.after(RUN_BOUNDS.stopMillis, () => resolve({}))
      }
      signal.addEventListener('abort', giveUp, { once: true })
      working.then(resolve, reject).finally(() => {
        signal.removeEventListener('abort', giveUp)
        forget()
      })
    })
  }

  async function emit(event: RunnerEvent): Promise<void> {
    for (const piece of splitEvent(event)) {
      if (signal.aborted) return
      await append(piece)
    }
  }

  async function append(event: RunnerEvent): Promise<void> {
    if (log.size > rules.runBytes) {
      const message = `It told more than ${Math.round(rules.runBytes / 1024)} KiB`
      return fail({ kind: 'output_limit', message })
    }
    lastEventAt = timers.millis()
    try {
      await log.append(event.type === 'step' ? withProgress(event) : event)
    } catch (error) {
      report(error)
      fail(NOT_STORED)
    }
  }

  /** Progress never falls, whatever an agent says. */
  function withProgress(step: Extract<RunnerEvent, { type: 'step' }>): RunnerEvent {
    if (step.progress === null) return step
    progress = Math.max(progress, step.progress)
    return { ...step, progress }
  }

  /** One timer for many events: when it fires it waits for what is left since the last event, or sends a heartbeat. */
  function planHeartbeat(millis = rules.heartbeatMillis): void {
    stopHeartbeat = timers.after(millis, () => {
      const left = lastEventAt + rules.heartbeatMillis - timers.millis()
      if (left <= 1) emit({ type: 'heartbeat', note: 'still at work' }).catch(report)
      planHeartbeat(left <= 1 ? rules.heartbeatMillis : left)
    })
  }

  function endOf({ output = null, exit_code = null, cpu_ms = null, failure }: Outcome): RunEnd {
    const duration_ms = Math.round(timers.millis() - begun)
    const measured: Measured = { attempt, duration_ms, exit_code, cpu_ms }
    if (stop !== undefined && 'canceled' in stop)
      return { type: 'canceled', reason: stop.canceled, ...measured }
    const problem = stop?.problem ?? failure
    if (problem === undefined) return { type: 'completed', output, ...measured }
    const { kind, message, data = {} } = problem
    return { type: 'failed', kind, message, retryable: RUN_FAILURES[kind].retryable, data, ...measured }
  }

  function problemOf(error: unknown): Problem {
    if (error instanceof RunError) return error.problem
    if (error instanceof Fault && (error.kind === 'invalid_params' || error.kind === 'not_found'))
      return { kind: error.kind, message: error.message, data: error.data }
    if (stop === undefined) report(error)
    return { kind: 'internal', message: 'The agent of this repository failed unexpectedly' }
  }
}

/** The event as events within their bounds: a long delta becomes several, never cut in the middle of a character. */
export function splitEvent(event: RunnerEvent): readonly RunnerEvent[] {
  if (event.type === 'text' || event.type === 'reasoning') {
    const { length } = event.delta
    if (length > 0 && length <= RUN_BOUNDS.deltaLength && event.delta.isWellFormed()) return [event]
    const delta = event.delta.toWellFormed()
    return [...partsOf(delta, RUN_BOUNDS.deltaLength)].map((part) => ({ ...event, delta: part }))
  }
  if (JSON.stringify(event).length > RUN_BOUNDS.eventLength)
    throw new RunError({
      kind: 'bad_output',
      message: `The agent told an event of type ${event.type} larger than ${RUN_BOUNDS.eventLength / 1024} KiB`,
    })
  return [event]
}
