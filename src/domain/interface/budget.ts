/** Thrown where reading or comparing would take more than it may; caught where either begins, and told as too large. */
export class TooLarge extends Error {}

/** Schemas inside of each other that are compared. */
export const MOST_DEPTH = 64

/**
 * What one review may take, to read both contents and to compare them, counted in steps. Each is about as long as any
 * other, some microseconds the first time that a process does it: so 50 ms of a daemon, which does nothing else meanwhile,
 * are not exceeded, whatever there is most of in a content. What both sides write the same takes next to nothing.
 */
export const MOST_WORK = 12_000
/** The same for a command, which has nothing else to do. */
export const MOST_WORK_OF_COMMAND = 5_000_000

/** How many steps something takes. */
export const WORK = {
  /** An operation that is read, one of a document with what that says for all, and each place where a value crosses. */
  operation: 2,
  documented: 5,
  slot: 1,
  /** A field that is not written as a schema. */
  field: 1,
  /** A text that has to be taken apart, such as `'a' | 'b'`. */
  words: 4,
  /** A word or sign of GraphQL, protobuf or TypeScript. */
  token: 3 / 4,
  /** A name with its value that is only looked at. */
  name: 1 / 16,
  /** A value of an enum, or a scope. */
  value: 1 / 3,
  /** The normal form of a schema, and each of its atoms. */
  schema: 3,
  atom: 2,
  /** A comparison of two normal forms. */
  comparison: 2,
  /** Parts of a union of which it is seen that they are not the same, and those that are compared as a whole for that. */
  pairing: 1 / 4,
  trial: 2,
  /** A difference that is told of what is around it too. */
  copy: 1 / 3,
  /** A change that is told. */
  change: 1,
} as const

/** One count for all that is done. */
export class Budget {
  #spent: number
  readonly #most: number

  constructor(most: number = MOST_WORK, spent = 0) {
    this.#most = most
    this.#spent = spent
  }

  get spent(): number {
    return this.#spent
  }

  spend(steps = 1): void {
    this.#spent += steps
    if (this.#spent > this.#most) throw new TooLarge('more in it than one review takes')
  }
}
