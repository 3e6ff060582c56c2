import type { Timers } from '../ports/ports.ts'

/** Waits until all other work that is ready has had its turn. */
export const pauseBy = (timers: Timers) => (): Promise<void> =>
  new Promise((resolve) => timers.after(0, resolve))
