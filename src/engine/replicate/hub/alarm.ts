import type { Timers } from '../../ports/ports.ts'
import { waitAmong } from '../../timing/wait-until.ts'

/** Wakes everybody who waits for something to happen. */
export function createAlarm(timers: Pick<Timers, 'after'>) {
  const waiting = new Set<() => void>()
  let rings = 0
  return {
    /** How often it rang: whoever compares this misses no ring while doing something else. */
    get rings() {
      return rings
    },

    ring(): void {
      rings++
      for (const wake of waiting) wake()
    },

    /** Until it rings, for so long at most; without a time, until it rings. */
    wait: (millis: number | undefined): Promise<void> => waitAmong(waiting, { timers, millis }),
  }
}
