/**
 * A row of places, each marked until it is unmarked, that tells how many marks lie before a place without
 * walking there: every cell holds the count of a stretch that ends with it (a Fenwick tree), so that asking
 * and changing take as many steps as the length of the row has binary digits.
 */
export class MarkCount {
  /** Cell n counts the marks of as many places, up to place n - 1, as the lowest bit of n says. */
  readonly #cells: number[] = [0]

  /** So many places, all marked. */
  constructor(length: number) {
    for (let cell = 1; cell <= length; cell++) this.#cells.push(lowestBit(cell))
  }

  /** One more place at the end, marked. */
  append(): void {
    const cell = this.#cells.length
    this.#cells.push(1 + this.before(cell - 1) - this.before(cell - lowestBit(cell)))
  }

  /** The place must be marked. */
  unmark(place: number): void {
    for (let cell = place + 1; cell < this.#cells.length; cell += lowestBit(cell))
      this.#cells[cell] = (this.#cells[cell] ?? 0) - 1
  }

  /** How many of the first so many places are marked. */
  before(place: number): number {
    let count = 0
    for (let cell = place; cell > 0; cell -= lowestBit(cell)) count += this.#cells[cell] ?? 0
    return count
  }
}

const lowestBit = (number: number): number => number & -number
