import type { Timers } from '../ports/ports.ts'

/** Resolves when `begin` calls back, or with the signal. What `begin` returns is called then, to end the waiting. */
export function waitUntil(begin: (wake: () => void) => () => void, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) return resolve()
    const wake = () => {
      end()
      signal?.removeEventListener('abort', wake)
      resolve()
    }
    signal?.addEventListener('abort', wake)
    const end = begin(wake)
  })
}

/** Resolves when the time is over, or when the signal is aborted. */
export const sleep = (timers: Pick<Timers, 'after'>, millis: number, signal: AbortSignal): Promise<void> =>
  waitUntil((wake) => timers.after(millis, wake), signal)

interface Patience {
  readonly timers: Pick<Timers, 'after'>
  readonly millis?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/** Resolves when the callback that it puts among these is called, when the time is over, or with the signal. */
export const waitAmong = (waiting: Set<() => void>, { timers, millis, signal }: Patience): Promise<void> =>
  waitUntil((wake) => {
    const cancel = millis === undefined ? undefined : timers.after(millis, wake)
    waiting.add(wake)
    return () => {
      cancel?.()
      waiting.delete(wake)
    }
  }, signal)
