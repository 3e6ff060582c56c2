import type { Timers } from '../ports.ts'

/** Lets many wait for the same thing: that there is something new. */
export class NextChange {
  readonly #timers: Timers
  readonly #waiting = new Set<() => void>()
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
    for (const end of [...this.#waiting]) end()
  }

  close(): void {
    this.#isClosed = true
    this.tell()
  }
}
