import type { Caller } from '../../../domain/env.ts'

/**
 * Limits how many callers may wait or follow at the same time. Callers without the operator key get at most half of
 * the slots.
 */
export class Slots {
  readonly #most: number
  #taken = 0
  #guests = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Returns a function that frees the slot, which may be called twice; undefined when no slot is free. */
  take({ kind }: Caller): (() => void) | undefined {
    const isGuest = kind !== 'operator' && kind !== 'open'
    if (this.#taken >= this.#most || (isGuest && this.#guests >= Math.ceil(this.#most / 2))) return undefined
    const count = (by: 1 | -1) => {
      this.#taken += by
      if (isGuest) this.#guests += by
    }
    let isHeld = true
    count(1)
    return () => {
      if (isHeld) count(-1)
      isHeld = false
    }
  }
}
