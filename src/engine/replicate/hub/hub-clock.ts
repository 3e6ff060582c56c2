import { LIMITS } from '../../../protocol/limits.ts'
import { addMicros, millisBetween, type Stamp } from '../../../protocol/stamp.ts'
import type { Parts } from '../../parts.ts'

export type HubClock = ReturnType<typeof createHubClock>

/** What the clock of the hub shows, as last heard; our own may be set meanwhile. */
export function createHubClock({ clock, timers }: Pick<Parts, 'clock' | 'timers'>) {
  let heard: { readonly now: Stamp; readonly at: number } | undefined

  return {
    note(now: Stamp | undefined): void {
      if (now !== undefined) heard = { now, at: timers.millis() }
    },

    now,
    skewSeconds,

    /** What is wrong, if the two are further apart than statements may be. */
    trouble(): string | undefined {
      const seconds = skewSeconds()
      if (seconds === null || Math.abs(seconds) <= LIMITS.clockAheadSeconds) return undefined
      return seconds < 0
        ? `The clock here is ${-seconds} s ahead of that of the hub, so what is written here goes out only when that has come as far`
        : `The clock of the hub is ${seconds} s ahead of the one here, so what others write now may be taken here only later`
    },
  }

  function now(): Stamp | undefined {
    return heard && addMicros(heard.now, Math.round((timers.millis() - heard.at) * 1000))
  }

  /** Seconds by which it is ahead of ours; null where it is not known. */
  function skewSeconds(): number | null {
    const theirs = now()
    return theirs === undefined ? null : Math.round(millisBetween(clock.now(), theirs) / 1000) || 0
  }
}
