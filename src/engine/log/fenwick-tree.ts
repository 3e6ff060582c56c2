/**
 * Flags in a row, all set at first, that can be cleared one by one. Counts the set flags before a position in
 * logarithmic time: a Fenwick tree, in which every cell holds the count of a stretch that ends with it.
 */
export class FenwickTree {
  /** Cell n holds the count of a stretch that ends with flag n - 1; its length is the lowest bit of n. */
  readonly #cells: number[] = [0]

  constructor(length: number) {
    for (let cell = 1; cell <= length; cell++) this.#cells.push(lowestBit(cell))
  }

  /** Adds a set flag at the end. */
  append(): void {
    const cell = this.#cells.length
    this.#cells.push(1 + this.before(cell - 1) - this.before(cell - lowestBit(cell)))
  }

  /** The flag must be set. */
  clear(position: number): void {
    for (let cell = position + 1; cell < this.#cells.length; cell += lowestBit(cell))
      this.#cells[cell] = (this.#cells[cell] ?? 0) - 1
  }

  /** How many flags before this position are set. */
  before(position: number): number {
    let count = 0
    for (let cell = position; cell > 0; cell -= lowestBit(cell)) count += this.#cells[cell] ?? 0
    return count
  }
}

const lowestBit = (number: number): number => number & -number
