import type { Timers } from '../ports/ports.ts'

export type Background = ReturnType<typeof createBackground>

/**
 * The pace of work that nobody waits for: it rests after every slice, so that other work is not delayed. `share` is the
 * part of all time that is spent on this work, from 0 to 1.
 */
export function createBackground(timers: Timers, share: number) {
  let workingSince = timers.millis()
  let wakeUp: (() => void) | undefined
  let stopTimer: (() => void) | undefined
  let isEnded = false

  return {
    /** To be called after each slice of work. */
    async rest(): Promise<void> {
      const worked = timers.millis() - workingSince
      const restMillis = (worked * (1 - share)) / share
      await new Promise<void>((resolve) => {
        wakeUp = resolve
        if (!isEnded) stopTimer = timers.after(restMillis, resolve)
      })
      stopTimer?.()
      workingSince = timers.millis()
    },

    /** Ends the rest, because somebody waits for the work now. */
    hurry: (): void => wakeUp?.(),

    /** Ends the work: from now on a rest lasts until somebody calls `hurry`. */
    end(): void {
      isEnded = true
      stopTimer?.()
    },
  }
}
