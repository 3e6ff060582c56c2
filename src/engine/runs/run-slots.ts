import { Fault } from '../../protocol/fault.ts'
import type { Runner } from '../ports/run-ports.ts'
import type { TrackedRun } from './tracked-run.ts'

/** How many runs may be at work at once: of all runners together, and of each by its own limit. */
export class RunSlots {
  readonly #limit: number
  readonly #taken = new Set<TrackedRun>()
  #isClosed = false

  constructor(limit: number) {
    this.#limit = limit
  }

  /** The runs that are at work now. A run leaves its slot with its end, before anybody sees that end. */
  atWork(): readonly TrackedRun[] {
    for (const run of this.#taken) if (run.runner === undefined) this.#taken.delete(run)
    return [...this.#taken]
  }

  /** The caller has to begin the attempt at once, or others would get the same slot. */
  take(run: TrackedRun, runner: Runner): void {
    if (this.#isClosed) throw new Fault('unavailable', 'The daemon is stopping', { next: 'Try again later' })
    const atWork = this.atWork()
    const same = atWork.filter((other) => other.runner?.name === runner.name).length
    const limit = same >= runner.limit ? runner.limit : this.#limit
    if (same >= runner.limit || atWork.length >= this.#limit)
      throw new Fault(
        'busy',
        `${limit} ${limit === 1 ? 'run is' : 'runs are'} at work already, which is the most at once`,
        {
          next: 'Try again in a while',
          data: { limit_name: 'concurrent_runs', available: 0, required: 1, limit },
        },
      )
    this.#taken.add(run)
  }

  /** No slot is given any more. */
  close(): void {
    this.#isClosed = true
  }
}
