import type { Caller } from '../../domain/env.ts'
import type { Turn } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Measured, RunEnd, RunnerEvent } from '../../protocol/run/event.ts'
import { RUN_FAILURES } from '../../protocol/run/failure.ts'
import type { RunRequest } from '../../protocol/run/request.ts'
import type { Timers } from '../ports/ports.ts'
import { type Outcome, type Problem, RunError, type Runner } from '../ports/run-ports.ts'
import { NOT_STORED } from './failures.ts'
import { RUN_BOUNDS, type RunRules } from './rules.ts'
import type { RunLog } from './run-log.ts'
import { splitEvent } from './split-event.ts'

export interface AttemptParts {
  readonly runId: string
  readonly attempt: number
  readonly request: RunRequest
  readonly asker: Caller
  readonly runner: Runner
  readonly log: RunLog
  readonly rules: RunRules
  readonly timers: Timers
  readonly history: () => Promise<readonly Turn[]>
  /** For the log of the daemon: what no asker may see. */
  readonly report: (error: unknown) => void
}

/** Why an attempt was ended from outside. */
type Stop = { readonly canceled: string } | { readonly problem: Problem }

/** One attempt at the work: hands it to the runner, logs the runner's events, enforces the bounds, makes the end. */
export class Attempt {
  readonly #deps: AttemptParts
  readonly #controller = new AbortController()
  readonly #begun: number
  #stop: Stop | undefined
  #progress = 0
  #stopHeartbeat: () => void = () => {}
  #lastEventAt: number

  constructor(deps: AttemptParts) {
    this.#deps = deps
    this.#begun = deps.timers.millis()
    this.#lastEventAt = this.#begun
  }

  cancel(reason: string): void {
    this.#end({ canceled: reason })
  }

  fail(problem: Problem): void {
    this.#end({ problem })
  }

  /** Answers the end event. Never throws: whatever goes wrong is a failure in that event. */
  async work(): Promise<RunEnd> {
    const { timers, runner, request, runId, attempt, asker, history } = this.#deps
    const millis = this.#maxMillis()
    const cancelTimer = timers.after(millis, () =>
      this.fail({
        kind: 'timeout',
        message: `It took longer than ${Math.round(millis / 1000)} s`,
        data: { seconds: millis / 1000 },
      }),
    )
    this.#planHeartbeat()
    try {
      const working = runner.run(request, {
        runId,
        attempt,
        asker,
        history,
        signal: this.#controller.signal,
        emit: (event) => this.#emit(event),
      })
      return this.#endOf(await this.#orGivenUp(working))
    } catch (error) {
      return this.#endOf({ failure: this.#problemOf(error) })
    } finally {
      cancelTimer()
      this.#stopHeartbeat()
      this.#controller.abort()
    }
  }

  #maxMillis(): number {
    const { max_duration_seconds: hint } = this.#deps.request.hints
    const { maxMillis } = this.#deps.rules
    return hint === undefined ? maxMillis : Math.min(hint * 1000, maxMillis)
  }

  #end(stop: Stop): void {
    if (this.#stop !== undefined || this.#controller.signal.aborted) return
    this.#stop = stop
    this.#controller.abort()
  }

  /** A runner that goes on long after the signal is not waited for. */
  #orGivenUp(working: Promise<Outcome>): Promise<Outcome> {
    const { timers } = this.#deps
    const { signal } = this.#controller
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

  async #emit(event: RunnerEvent): Promise<void> {
    for (const piece of splitEvent(event)) {
      if (this.#controller.signal.aborted) return
      await this.#append(piece)
    }
  }

  async #append(event: RunnerEvent): Promise<void> {
    const { log, rules } = this.#deps
    if (log.size > rules.runBytes) {
      const message = `It told more than ${Math.round(rules.runBytes / 1024)} KiB`
      this.fail({ kind: 'output_limit', message })
      return
    }
    this.#lastEventAt = this.#deps.timers.millis()
    try {
      await log.append(event.type === 'step' ? this.#withProgress(event) : event)
    } catch (error) {
      this.#deps.report(error)
      this.fail(NOT_STORED)
    }
  }

  /** Progress never falls, whatever an agent says. */
  #withProgress(step: Extract<RunnerEvent, { type: 'step' }>): RunnerEvent {
    if (step.progress === null) return step
    this.#progress = Math.max(this.#progress, step.progress)
    return { ...step, progress: this.#progress }
  }

  /** One timer for many events: when it fires it waits for what is left since the last event, or sends a heartbeat. */
  #planHeartbeat(millis = this.#deps.rules.heartbeatMillis): void {
    const { timers, rules, report } = this.#deps
    this.#stopHeartbeat = timers.after(millis, () => {
      const left = this.#lastEventAt + rules.heartbeatMillis - this.#deps.timers.millis()
      if (left <= 1) this.#emit({ type: 'heartbeat', note: 'still at work' }).catch(report)
      this.#planHeartbeat(left <= 1 ? rules.heartbeatMillis : left)
    })
  }

  #endOf({ output = null, exit_code = null, cpu_ms = null, failure }: Outcome): RunEnd {
    const measured: Measured = {
      attempt: this.#deps.attempt,
      duration_ms: Math.round(this.#deps.timers.millis() - this.#begun),
      exit_code,
      cpu_ms,
    }
    const stop = this.#stop
    if (stop !== undefined && 'canceled' in stop)
      return { type: 'canceled', reason: stop.canceled, ...measured }
    const problem = stop?.problem ?? failure
    if (problem === undefined) return { type: 'completed', output, ...measured }
    const { kind, message, data = {} } = problem
    return { type: 'failed', kind, message, retryable: RUN_FAILURES[kind].retryable, data, ...measured }
  }

  #problemOf(error: unknown): Problem {
    if (error instanceof RunError) return error.problem
    if (error instanceof Fault && (error.kind === 'invalid_params' || error.kind === 'not_found'))
      return { kind: error.kind, message: error.message, data: error.data }
    if (this.#stop === undefined) this.#deps.report(error)
    return { kind: 'internal', message: 'The agent of this repository failed unexpectedly' }
  }
}
