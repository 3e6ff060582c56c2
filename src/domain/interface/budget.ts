/** Thrown where a walk would take more than it may; caught where reading or comparing begins, and told as `too large`. */
export class TooLarge extends Error {}

export const MOST_COMPARISONS = 8000
export const MOST_DEPTH = 64
/** Operations and fields in words of one content, and pieces of a text; none that people write has nearly as many. */
export const MOST_OPERATIONS = 400
export const MOST_FIELDS = 2000
export const MOST_TOKENS = 10_000

/** Before one more is read. */
export function checkOperations(count: number): void {
  if (count >= MOST_OPERATIONS) throw new TooLarge(`more than ${MOST_OPERATIONS} operations`)
}

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
