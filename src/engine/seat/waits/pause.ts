import type { Timers } from '../../ports/ports.ts'

/** Lets all others have their turn before one goes on. */
export const pauseBy = (timers: Timers) => (): Promise<void> =>
  new Promise((resolve) => timers.after(0, resolve))
