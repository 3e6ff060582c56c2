import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import type { Run } from '../../../protocol/run/run.ts'

/** The oldest are forgotten first; then the same failure is answered once more. */
const MOST = 10_000

/**
 * The failures that were answered to whoever asked for the run. A sender asks for news of a run and for another attempt
 * with the very same message: the first such message is answered with the failure, the next one starts the attempt.
 */
export class AnsweredFailures {
  readonly #answered = new Map<string, true>()

  add(runId: string, attempt: number): void {
    this.#answered.set(keyOf(runId, attempt), true)
    dropOldest(this.#answered, MOST)
  }

  /** A run that the stop of the daemon interrupted is tried again at once: whoever asks has lost the connection. */
  mayRetry({ run_id, attempt, failure }: Run): boolean {
    if (failure === null) return false
    return failure.kind === 'interrupted' || this.#answered.has(keyOf(run_id, attempt))
  }
}

const keyOf = (runId: string, attempt: number): string => `${runId}/${attempt}`
