import type { Caller } from '../../../domain/env.ts'

/**
 * Limits how many callers may wait or follow at the same time. Callers without the operator key get at most half of
 * the slots. What is returned takes a slot, and answers a function that frees it, which may be called twice;
 * undefined when no slot is free.
 */
export function createSlots(most: number): (caller: Caller) => (() => void) | undefined {
  let taken = 0
  let guests = 0
  return ({ kind }) => {
    const isGuest = kind !== 'operator' && kind !== 'open'
    if (taken >= most || (isGuest && guests >= Math.ceil(most / 2))) return undefined
    const count = (by: 1 | -1) => {
      taken += by
      if (isGuest) guests += by
    }
    let isHeld = true
    count(1)
    return () => {
      if (isHeld) count(-1)
      isHeld = false
    }
  }
}
