/** Thrown where a walk would take more than it may; caught where a comparison begins, and told as `too large`. */
export class TooLarge extends Error {}

export const MOST_COMPARISONS = 20_000
export const MOST_DEPTH = 64

/** The work that one comparison of two interfaces may take, whatever is in them. */
export class Budget {
  #spent = 0
  readonly #most: number

  constructor(most: number = MOST_COMPARISONS) {
    this.#most = most
  }

  get spent(): number {
    return this.#spent
  }

  spend(count = 1): void {
    this.#spent += count
    if (this.#spent > this.#most) throw new TooLarge('more than a comparison may take')
  }
}
