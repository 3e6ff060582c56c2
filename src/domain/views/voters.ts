/** The keys that may vote: those that hold at least one repo by a confirmed claim. */
export class Voters {
  /** By key, the number of repos that it holds. */
  readonly #held = new Map<string, number>()

  get size(): number {
    return this.#held.size
  }

  has(key: string): boolean {
    return this.#held.has(key)
  }

  /** Replaces the voters of one repo. Returns whether the set of all voters changed. */
  replace(before: readonly string[], after: readonly string[]): boolean {
    const keys = new Set([...before, ...after])
    const had = [...keys].filter((key) => this.has(key))
    for (const key of after) this.#count(key, 1)
    for (const key of before) this.#count(key, -1)
    const has = [...keys].filter((key) => this.has(key))
    return had.join() !== has.join()
  }

  #count(key: string, more: number): void {
    const count = (this.#held.get(key) ?? 0) + more
    if (count === 0) this.#held.delete(key)
    else this.#held.set(key, count)
  }
}
