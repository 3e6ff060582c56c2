import type { StartOptions } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Problem, RunHead } from '../ports/run-ports.ts'
import type { Agents } from './agents.ts'
import { callerOf } from './askers.ts'
import { RunSlots } from './run-slots.ts'
import { newState } from './run-state.ts'
import type { Work } from './start-attempt.ts'
import { TrackedRun, type TrackedRunDeps } from './tracked-run.ts'

export interface RunStarterDeps extends TrackedRunDeps {
  readonly agents: Agents
}

/** Begins the attempts of runs, never too many at once, and ends them all when the daemon stops. */
export class RunStarter {
  readonly #deps: RunStarterDeps
  readonly #slots: RunSlots
  /** Attempts that are being prepared: the stop waits for them, or they would begin after it. */
  readonly #starting = new Set<Promise<unknown>>()
  readonly #retries = new Map<TrackedRun, Promise<void>>()

  constructor(deps: RunStarterDeps) {
    this.#deps = deps
    this.#slots = new RunSlots(deps.rules.atOnce)
  }

  atWork(): readonly TrackedRun[] {
    return this.#slots.atWork()
  }

  isRetrying(tracked: TrackedRun): boolean {
    return this.#retries.has(tracked)
  }

  /** The request is on disk when this resolves, and the work has begun. */
  begin(head: RunHead, work: Work, options: StartOptions): Promise<TrackedRun> {
    return this.#starts(this.#begin(head, work, options))
  }

  /** Another attempt of a run that failed for a passing reason. Whoever else asks for it meanwhile joins. */
  async retry(tracked: TrackedRun, history: Work['history']): Promise<void> {
    if (tracked.isAtWork) return
    const retry =
      this.#retries.get(tracked) ??
      this.#starts(this.#retry(tracked, history)).finally(() => this.#retries.delete(tracked))
    this.#retries.set(tracked, retry)
    await retry
  }

  /** Ends everything that is at work in the same way, and begins nothing new. */
  async stop(problem: Problem): Promise<void> {
    this.#slots.close()
    await Promise.allSettled(this.#starting)
    await Promise.all(this.#slots.atWork().map((tracked) => tracked.fail(problem)))
  }

  async #begin(
    head: RunHead,
    work: Work,
    { cancelWhenUnwatched = false }: StartOptions,
  ): Promise<TrackedRun> {
    const tracked = new TrackedRun(this.#deps, newState(head, work.runner.name, cancelWhenUnwatched))
    this.#slots.take(tracked, work.runner)
    await tracked.begin(head, work)
    return tracked
  }

  async #retry(tracked: TrackedRun, history: Work['history']): Promise<void> {
    const { run } = tracked
    if (run.failure?.retryable !== true)
      throw new Fault(
        'conflict',
        `Run ${run.run_id} ${run.status === 'failed' ? 'failed for good' : `is ${run.status}`}`,
        {
          next: 'Send a new request to have the work done again',
          data: { runId: run.run_id, status: run.status },
        },
      )
    const runner = await this.#deps.agents.choose(run.request, callerOf(run.asked_by))
    this.#slots.take(tracked, runner)
    await tracked.retry({ runner, history })
  }

  #starts<Result>(starting: Promise<Result>): Promise<Result> {
    this.#starting.add(starting)
    const forget = () => this.#starting.delete(starting)
    starting.then(forget, forget)
    return starting
  }
}
