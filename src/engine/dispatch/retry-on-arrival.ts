import { Fault, type FaultKind } from '../../protocol/fault.ts'
import type { Parts } from '../parts.ts'
import type { Store } from '../ports/ports.ts'

export interface RetryOnArrivalDeps extends Pick<Parts, 'timers'> {
  store: Pick<Store, 'onDurable'>
  /** How long a call waits for what it is about. */
  millis: number
}

/** Makes a call, and repeats it after each change until it succeeds or the time is over. */
export type RetryOnArrival = <Result>(attempt: () => Promise<Result>) => Promise<Result>

/** How many calls wait at once; any more are refused as they come. */
const MOST_WAITING = 100

/** Failures that may pass when a peer's statements have come. A call that failed so has changed nothing. */
const MAY_PASS: ReadonlySet<FaultKind> = new Set(['not_found', 'conflict', 'not_member'])

/**
 * The reference implementation answers a write when its peers have it, so its clients go on at once at another daemon.
 * This daemon answers sooner; so a call of such a client that comes too early waits a moment for what it is about, also
 * where no peer is known yet, because one may be about to register.
 */
export function createRetryOnArrival({ store, timers, millis }: RetryOnArrivalDeps): RetryOnArrival {
  const waiting = new Set<() => void>()
  store.onDurable(() => {
    for (const wake of waiting) wake()
  })

  return async (attempt) => {
    let isOver = false
    let wake = () => {}
    const cancel = timers.after(millis, () => {
      isOver = true
      wake()
    })
    try {
      for (;;) {
        const changed = new Promise<void>((resolve) => {
          wake = resolve
        })
        const mayWait = waiting.size < MOST_WAITING
        if (mayWait) waiting.add(wake)
        try {
          return await attempt()
        } catch (error) {
          if (isOver || !mayWait || !(error instanceof Fault) || !MAY_PASS.has(error.kind)) throw error
          await changed
        } finally {
          waiting.delete(wake)
        }
      }
    } finally {
      cancel()
    }
  }
}
