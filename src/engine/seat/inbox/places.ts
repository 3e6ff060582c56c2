import type { Caller } from '../../../domain/env.ts'

/** Room for those who stay for a while. Those who are not at home here have half of it at most. */
export class Places {
  readonly #most: number
  #taken = 0
  #guests = 0

  constructor(most: number) {
    this.#most = most
  }

  /** Returns how to give the place back, which may be said twice; undefined when there is none left. */
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
