import type { StartOptions } from '../../methods/runs/service.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
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
export function createRunStarter(deps: RunStarterDeps) {
  const { runners, rules } = deps
  const working = new Set<TrackedRun>()
  /** Attempts that are being prepared: the stop waits for them, or they would begin after it. */
  const starting = new Set<Promise<unknown>>()
  const retries = new Map<TrackedRun, Promise<void>>()
  let isStopping = false

  return {
    atWork,
    isRetrying: (tracked: TrackedRun): boolean => retries.has(tracked),

    /** The request is on disk when this resolves, and the work has begun. */
    begin: (head: RunHead, work: Work, { cancelWhenUnwatched = false }: StartOptions): Promise<TrackedRun> =>
      prepare(async () => {
        const tracked = trackRun(deps, newState(head, work.runner.name, cancelWhenUnwatched))
        takePlace(tracked, work.runner)
        await tracked.begin(head, work)
        return tracked
      }),

    /** Another attempt of a run that failed for a passing reason. Whoever else asks for it meanwhile joins. */
    async retry(tracked: TrackedRun, history: Work['history']): Promise<void> {
      if (tracked.isDaemonRunning) return
      const begin = () => prepare(() => retry(tracked, history)).finally(() => retries.delete(tracked))
      await getOrAdd(retries, tracked, begin)
    },

    /** Ends everything that is at work in the same way, and begins nothing new. */
    async stop(problem: Problem): Promise<void> {
      isStopping = true
      await Promise.allSettled(starting)
      await Promise.all(atWork().map((tracked) => tracked.fail(problem)))
    },
  }

  /** The runs that are at work now. A run is not any more with its end, before anybody sees that end. */
  function atWork(): readonly TrackedRun[] {
    for (const run of working) if (run.runner === undefined) working.delete(run)
    return [...working]
  }

  async function retry(tracked: TrackedRun, history: Work['history']): Promise<void> {
    const { run_id: runId, status, failure, request, asked_by } = tracked.run
    if (failure?.retryable !== true)
      throw new Fault(
        'conflict',
        `Run ${runId} ${status === 'failed' ? 'failed for good' : `is ${status}`}`,
        { next: 'Send a new request to have the work done again', data: { runId, status } },
      )
    const runner = await runners.choose(request, callerOf(asked_by))
    takePlace(tracked, runner)
    await tracked.retry({ runner, history })
  }

  function prepare<Result>(begin: () => Promise<Result>): Promise<Result> {
    const beginning = begin()
    starting.add(beginning)
    const forget = () => starting.delete(beginning)
    beginning.then(forget, forget)
    return beginning
  }

  /** The attempt has to begin in the same turn, or somebody else would get the same place. */
  function takePlace(tracked: TrackedRun, runner: Runner): void {
    if (isStopping) throw new Fault('unavailable', 'The daemon is stopping', { next: 'Try again later' })
    const { atOnce } = rules
    const others = atWork()
    const same = others.filter((other) => other.runner?.name === runner.name).length
    const limit = same >= runner.limit ? runner.limit : atOnce
    if (same >= runner.limit || others.length >= atOnce)
      throw new Fault(
        'busy',
        `${limit} ${limit === 1 ? 'run is' : 'runs are'} at work already, which is the most at once`,
        {
          next: 'Try again in a while',
          data: { limit_name: 'concurrent_runs', available: 0, required: 1, limit },
        },
      )
    working.add(tracked)
  }
}
