import { LIMITS } from '../../../protocol/limits.ts'
import { addMicros, millisBetween, type Stamp } from '../../../protocol/stamp.ts'
import type { Clock, Timers } from '../../ports/ports.ts'

/** What the clock of the hub shows, as last heard; our own may be set meanwhile. */
export class HubClock {
  readonly #clock: Pick<Clock, 'now'>
  readonly #timers: Pick<Timers, 'millis'>
  #heard: { readonly now: Stamp; readonly at: number } | undefined

  constructor({ clock, timers }: { clock: Pick<Clock, 'now'>; timers: Pick<Timers, 'millis'> }) {
    this.#clock = clock
    this.#timers = timers
  }

  note(now: Stamp | undefined): void {
    if (now !== undefined) this.#heard = { now, at: this.#timers.millis() }
  }

  now(): Stamp | undefined {
    if (this.#heard === undefined) return undefined
    const { now, at } = this.#heard
    return addMicros(now, Math.round((this.#timers.millis() - at) * 1000))
  }

  /** Seconds by which it is ahead of ours; null where it is not known. */
  skewSeconds(): number | null {
    const now = this.now()
    return now === undefined ? null : Math.round(millisBetween(this.#clock.now(), now) / 1000) || 0
  }

  /** What is wrong, if the two are further apart than statements may be. */
  trouble(): string | undefined {
    const seconds = this.skewSeconds()
    if (seconds === null || Math.abs(seconds) <= LIMITS.clockAheadSeconds) return undefined
    return seconds < 0
      ? `The clock here is ${-seconds} s ahead of that of the hub, so what is written here goes out only when that has come as far`
      : `The clock of the hub is ${seconds} s ahead of the one here, so what others write now may be taken here only later`
  }
}
