import type { Timers } from './ports/ports.ts'

/** The pace of work that nobody waits for: after every slice it rests for so long that all others keep their time. */
export class Background {
  readonly #timers: Timers
  readonly #share: number
  #workingSince: number
  #wakeUp: (() => void) | undefined
  #stopTimer: (() => void) | undefined
  #isEnded = false

  /** So much of all time is worked, from 0 to 1. */
  constructor(timers: Timers, share: number) {
    this.#timers = timers
    this.#share = share
    this.#workingSince = timers.millis()
  }

  /** After a slice of work. */
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

  /** Somebody waits for the work now. */
  hurry(): void {
    this.#wakeUp?.()
  }

  /** From now on nothing is worked at, unless somebody waits for it. */
  end(): void {
    this.#isEnded = true
    this.#stopTimer?.()
  }
}
