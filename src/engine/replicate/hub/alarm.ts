import type { Timers } from '../../ports/ports.ts'

/** Wakes everybody who waits for something to happen. */
export class Alarm {
  readonly #timers: Timers
  readonly #waiting = new Set<() => void>()
  #rings = 0

  constructor(timers: Timers) {
    this.#timers = timers
  }

  /** How often it rang: whoever compares this misses no ring while doing something else. */
  get rings(): number {
    return this.#rings
  }

  ring(): void {
    this.#rings++
    for (const wake of this.#waiting) wake()
  }

  /** Until it rings, for so long at most; without a time, until it rings. */
  wait(millis: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting
      const cancel = millis === undefined ? () => {} : this.#timers.after(millis, wake)
      waiting.add(wake)
      function wake() {
        waiting.delete(wake)
        cancel()
        resolve()
      }
    })
  }
}
