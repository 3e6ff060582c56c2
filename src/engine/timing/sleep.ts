import type { Timers } from '../ports/ports.ts'
import { waitUntil } from './wait-until.ts'

/** Resolves when the time is over, or when the signal is aborted. */
export const sleep = (timers: Pick<Timers, 'after'>, millis: number, signal: AbortSignal): Promise<void> =>
  waitUntil((wake) => timers.after(millis, wake), signal)
