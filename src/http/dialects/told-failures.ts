import type { Run } from '../../protocol/run/run.ts'

/** The oldest are forgotten first; then the failure is only told once more. */
const MOST = 10_000

/**
 * Which failures their askers have heard of. A sender asks for news of a run and for another attempt with the
 * very same message, so a failure is told first, and only after that the same message has it tried again.
 */
export class ToldFailures {
  readonly #told = new Set<string>()

  note(runId: string, attempt: number): void {
    this.#told.add(keyOf(runId, attempt))
    if (this.#told.size <= MOST) return
    for (const oldest of this.#told) {
      this.#told.delete(oldest)
      break
    }
  }

  /** A run that its daemon left off needs no telling: whoever asks has lost the line and wants it to go on. */
  mayRetry({ run_id, attempt, failure }: Run): boolean {
    if (failure === null) return false
    return failure.kind === 'interrupted' || this.#told.has(keyOf(run_id, attempt))
  }
}

const keyOf = (runId: string, attempt: number): string => `${runId}/${attempt}`
