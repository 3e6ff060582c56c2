import type { Timers } from '../ports/ports.ts'

/** The pace of work that nobody waits for: it rests after every slice, so that other work is not delayed. */
export class Background {
  readonly #timers: Timers
  readonly #share: number
  #workingSince: number
  #wakeUp: (() => void) | undefined
  #stopTimer: (() => void) | undefined
  #isEnded = false

  /** `share` is the part of all time that is spent on this work, from 0 to 1. */
  constructor(timers: Timers, share: number) {
    this.#timers = timers
    this.#share = share
    this.#workingSince = timers.millis()
  }

  /** To be called after each slice of work. */
  async rest(): Promise<void> {
    const worked = this.#timers.millis() - this.#workingSince
    const restMillis = (worked * (1 - this.#share)) / this.#share
    await new Promise<void>((resolve) => {
      this.#wakeUp = resolve
      if (!this.#isEnded) this.#stopTimer = this.#timers.after(restMillis, resolve)
    })
    this.#stopTimer?.()
    this.#workingSince = this.#timers.millis()
  }

  /** Ends the rest, because somebody waits for the work now. */
  hurry(): void {
    this.#wakeUp?.()
  }

  /** Ends the work: from now on a rest lasts until somebody calls `hurry`. */
  end(): void {
    this.#isEnded = true
    this.#stopTimer?.()
  }
}
