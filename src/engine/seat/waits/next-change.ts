import { Background } from '../../background-tasks.ts'
import type { Timers } from '../../ports/ports.ts'
import { pauseBy } from './pause.ts'

/** How many are told before all others get their turn, and how much of the time telling may take. */
const SLICE = 50
const SHARE = 0.5

/**
 * Lets many wait for the same thing: that there is something new. They are told in rounds: what changes during one is
 * for the next, so that however many wait, and however often something changes, all else goes on.
 */
export class NextChange {
  readonly #timers: Timers
  readonly #waiting = new Set<() => void>()
  #isNew = false
  #isTelling = false
  #isClosed = false

  constructor(timers: Timers) {
    this.#timers = timers
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Resolves at the next change, when the time is over, when the signal is aborted or when all is closed. */
  wait(signal: AbortSignal, millis: number): Promise<void> {
    if (this.#isClosed || signal.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      const end = () => {
        cancel()
        this.#waiting.delete(end)
        signal.removeEventListener('abort', end)
        resolve()
      }
      const cancel = this.#timers.after(millis, end)
      this.#waiting.add(end)
      signal.addEventListener('abort', end, { once: true })
    })
  }

  tell(): void {
    this.#isNew = this.#waiting.size > 0
    if (this.#isNew && !this.#isTelling) void this.#tellInRounds()
  }

  close(): void {
    this.#isClosed = true
    for (const end of [...this.#waiting]) end()
  }

  async #tellInRounds(): Promise<void> {
    this.#isTelling = true
    const pace = new Background(this.#timers, SHARE)
    const pause = pauseBy(this.#timers)
    while (this.#isNew && !this.#isClosed) {
      this.#isNew = false
      const waiting = [...this.#waiting]
      for (let told = 0; told < waiting.length; told += SLICE) {
        for (const end of waiting.slice(told, told + SLICE)) end()
        // What they do with it comes in their own turns, which count.
        await pause()
        await pace.rest()
      }
    }
    this.#isTelling = false
  }
}
