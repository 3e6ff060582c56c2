import type { Timers } from '../../ports/ports.ts'
import { Background } from '../../timing/background-tasks.ts'
import { pauseBy } from '../../timing/pause.ts'
import { waitUntil } from '../../timing/wait-until.ts'

/** After how many notified waiters other work gets its turn, and which share of the time notifying may take. */
const SLICE = 50
const SHARE = 0.5

/**
 * Lets many callers wait for the next change. They are notified in rounds: a change during a round starts another one
 * after it. So however many wait, and however often something changes, other work goes on.
 */
export class NextChange {
  readonly #timers: Timers
  readonly #waiting = new Set<() => void>()
  #isNew = false
  #isNotifying = false
  #isClosed = false

  constructor(timers: Timers) {
    this.#timers = timers
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves at the next change, when the time is over, when the signal is aborted, or when this is closed. */
  wait(signal: AbortSignal, millis: number): Promise<void> {
    if (this.#isClosed) return Promise.resolve()
    return waitUntil((end) => {
      const cancel = this.#timers.after(millis, end)
      this.#waiting.add(end)
      return () => {
        cancel()
        this.#waiting.delete(end)
      }
    }, signal)
  }

  notify(): void {
    this.#isNew = this.#waiting.size > 0
    if (this.#isNew && !this.#isNotifying) void this.#notifyInRounds()
  }

  close(): void {
    this.#isClosed = true
    for (const end of [...this.#waiting]) end()
  }

  async #notifyInRounds(): Promise<void> {
    this.#isNotifying = true
    const pace = new Background(this.#timers, SHARE)
    const pause = pauseBy(this.#timers)
    while (this.#isNew && !this.#isClosed) {
      this.#isNew = false
      const waiting = [...this.#waiting]
      for (let notified = 0; notified < waiting.length; notified += SLICE) {
        for (const end of waiting.slice(notified, notified + SLICE)) end()
        // What the notified callers do next runs during the pause, so it counts as time of this round.
        await pause()
        await pace.rest()
      }
    }
    this.#isNotifying = false
  }
}
