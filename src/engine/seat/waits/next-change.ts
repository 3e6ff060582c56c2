import type { Timers } from '../../ports/ports.ts'
import { createBackground } from '../../timing/background-tasks.ts'
import { pauseBy } from '../../timing/pause.ts'
import { waitAmong } from '../../timing/wait-until.ts'

/** After how many notified waiters other work gets its turn, and which share of the time notifying may take. */
const SLICE = 50
const SHARE = 0.5

/**
 * Lets many callers wait for the next change. They are notified in rounds: a change during a round starts another one
 * after it. So however many wait, and however often something changes, other work goes on.
 */
export function createNextChange(timers: Timers) {
  const waiting = new Set<() => void>()
  const pause = pauseBy(timers)
  let isNew = false
  let isNotifying = false
  let isClosed = false

  return {
    get isClosed() {
      return isClosed
    },

    /** Resolves at the next change, when the time is over, when the signal is aborted, or when this is closed. */
    wait(signal: AbortSignal, millis: number): Promise<void> {
      return isClosed ? Promise.resolve() : waitAmong(waiting, { timers, millis, signal })
    },

    notify(): void {
      isNew = waiting.size > 0
      if (isNew && !isNotifying) void notifyInRounds()
    },

    close(): void {
      isClosed = true
      for (const end of [...waiting]) end()
    },
  }

  async function notifyInRounds(): Promise<void> {
    isNotifying = true
    const pace = createBackground(timers, SHARE)
    while (isNew && !isClosed) {
      isNew = false
      const all = [...waiting]
      for (let notified = 0; notified < all.length; notified += SLICE) {
        for (const end of all.slice(notified, notified + SLICE)) end()
        // What the notified callers do next runs during the pause, so it counts as time of this round.
        await pause()
        await pace.rest()
      }
    }
    isNotifying = false
  }
}
