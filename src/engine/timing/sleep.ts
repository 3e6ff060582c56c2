import type { Timers } from '../ports/ports.ts'

/** Resolves when the time is over, or when the signal is aborted. */
export function sleep(timers: Timers, millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = timers.after(millis, done)
    function done() {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
