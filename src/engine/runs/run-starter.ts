import type { StartOptions } from '../../methods/runs/service.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Problem, RunHead, Runner } from '../ports/run-ports.ts'
import { callerOf } from './askers.ts'
import { newState } from './run-state.ts'
import type { RunnerChoice } from './runner-choice.ts'
import { type TrackedRun, type TrackedRunDeps, trackRun, type Work } from './tracked-run.ts'

export interface RunStarterDeps extends TrackedRunDeps {
  readonly runners: RunnerChoice
}

/** Begins the attempts of runs, never too many at once, and ends them all when the daemon stops. */
export class RunStarter {
  readonly #deps: RunStarterDeps
  readonly #atWork = new Set<TrackedRun>()
  /** Attempts that are being prepared: the stop waits for them, or they would begin after it. */
  readonly #starting = new Set<Promise<unknown>>()
  readonly #retries = new Map<TrackedRun, Promise<void>>()
  #isStopping = false

  constructor(deps: RunStarterDeps) {
    this.#deps = deps
  }

  /** The runs that are at work now. A run is not any more with its end, before anybody sees that end. */
  atWork(): readonly TrackedRun[] {
    for (const run of this.#atWork) if (run.runner === undefined) this.#atWork.delete(run)
    return [...this.#atWork]
  }

  isRetrying(tracked: TrackedRun): boolean {
    return this.#retries.has(tracked)
  }

  /** The request is on disk when this resolves, and the work has begun. */
  begin(head: RunHead, work: Work, { cancelWhenUnwatched = false }: StartOptions): Promise<TrackedRun> {
    return this.#prepare(async () => {
      const tracked = trackRun(this.#deps, newState(head, work.runner.name, cancelWhenUnwatched))
      this.#takePlace(tracked, work.runner)
      await tracked.begin(head, work)
      return tracked
    })
  }

  /** Another attempt of a run that failed for a passing reason. Whoever else asks for it meanwhile joins. */
  async retry(tracked: TrackedRun, history: Work['history']): Promise<void> {
    if (tracked.isDaemonRunning) return
    const retry =
      this.#retries.get(tracked) ??
      this.#prepare(() => this.#retry(tracked, history)).finally(() => this.#retries.delete(tracked))
    this.#retries.set(tracked, retry)
    await retry
  }

  /** Ends everything that is at work in the same way, and begins nothing new. */
  async stop(problem: Problem): Promise<void> {
    this.#isStopping = true
    await Promise.allSettled(this.#starting)
    await Promise.all(this.atWork().map((tracked) => tracked.fail(problem)))
  }

  async #retry(tracked: TrackedRun, history: Work['history']): Promise<void> {
    const { run_id: runId, status, failure, request, asked_by } = tracked.run
    if (failure?.retryable !== true)
      throw new Fault(
        'conflict',
        `Run ${runId} ${status === 'failed' ? 'failed for good' : `is ${status}`}`,
        {
          next: 'Send a new request to have the work done again',
          data: { runId, status },
        },
      )
    const runner = await this.#deps.runners.choose(request, callerOf(asked_by))
    this.#takePlace(tracked, runner)
    await tracked.retry({ runner, history })
  }

  #prepare<Result>(begin: () => Promise<Result>): Promise<Result> {
    const starting = begin()
    this.#starting.add(starting)
    const forget = () => this.#starting.delete(starting)
    starting.then(forget, forget)
    return starting
  }

  /** The attempt has to begin in the same turn, or somebody else would get the same place. */
  #takePlace(tracked: TrackedRun, runner: Runner): void {
    if (this.#isStopping)
      throw new Fault('unavailable', 'The daemon is stopping', { next: 'Try again later' })
    const { atOnce } = this.#deps.rules
    const atWork = this.atWork()
    const same = atWork.filter((other) => other.runner?.name === runner.name).length
    const limit = same >= runner.limit ? runner.limit : atOnce
    if (same >= runner.limit || atWork.length >= atOnce)
      throw new Fault(
        'busy',
        `${limit} ${limit === 1 ? 'run is' : 'runs are'} at work already, which is the most at once`,
        {
          next: 'Try again in a while',
          data: { limit_name: 'concurrent_runs', available: 0, required: 1, limit },
        },
      )
    this.#atWork.add(tracked)
  }
}
