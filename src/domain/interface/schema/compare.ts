import { type Budget, MOST_DEPTH, TooLarge } from '../budget.ts'
import type { Difference, Sender } from '../model.ts'
import { compareNormals } from './compare-normals.ts'
import { fewer } from './fewer.ts'
import { Normaliser } from './normalise.ts'
import type { Source } from './source.ts'

/** What is known already is only copied: so many differences cost as much as one comparison. */
const COPIES = 4

const copying = (found: readonly Difference[]): number => 1 + Math.ceil(found.length / COPIES)

interface Provisional {
  readonly found: readonly Difference[]
  /** How far down the comparison stands that it takes for settled. */
  readonly lowest: number
}

/**
 * Compares schemas of an old and a new document that may lead back to themselves. Two that are being compared already
 * are taken for equal where they meet again inside: what differs is told where they were met first. What was found under
 * such an assumption is kept only while the assumption stands, for elsewhere it would hide what was told outside of it.
 */
export class Comparison {
  readonly old: Normaliser
  readonly new: Normaliser
  readonly budget: Budget
  /** Values are sent as text, so that a number is a text too. */
  readonly isText: boolean
  readonly #done = new Map<string, readonly Difference[]>()
  readonly #provisional = new Map<string, Provisional>()
  /** Keys of what is provisional, in the order in which it was found. */
  readonly #assumptions: string[] = []
  readonly #open = new Map<string, number>()
  #lowest = Number.POSITIVE_INFINITY

  constructor(budget: Budget, { sender, isText }: { sender: Sender; isText: boolean }) {
    this.budget = budget
    this.isText = isText
    this.old = new Normaliser(budget, sender)
    this.new = new Normaliser(budget, sender)
  }

  differences(before: Source, after: Source): readonly Difference[] {
    const key = `${this.old.keyOf(before)}>${this.new.keyOf(after)}`
    const known = this.#done.get(key)
    if (known !== undefined) {
      this.budget.spend(copying(known))
      return known
    }
    const depth = this.#open.get(key)
    if (depth !== undefined) return this.#assumed([], depth)
    const provisional = this.#provisional.get(key)
    if (provisional !== undefined) return this.#assumed(provisional.found, provisional.lowest)
    return this.#compare(key, before, after)
  }

  /** What would differ; nothing that was assumed on the way is kept, for what is found here may be told nowhere. */
  trial(compare: () => readonly Difference[]): readonly Difference[] {
    const { length } = this.#assumptions
    const found = compare()
    for (const key of this.#assumptions.splice(length)) this.#provisional.delete(key)
    return found
  }

  /** What assumed this comparison lacks what is told by it. */
  #forget(depth: number): void {
    for (const [key, { lowest }] of this.#provisional) if (lowest >= depth) this.#provisional.delete(key)
  }

  #assumed(found: readonly Difference[], lowest: number): readonly Difference[] {
    this.#lowest = Math.min(this.#lowest, lowest)
    this.budget.spend(copying(found))
    return found
  }

  #compare(key: string, before: Source, after: Source): readonly Difference[] {
    const depth = this.#open.size
    if (depth >= MOST_DEPTH) throw new TooLarge('nested too deep')
    this.budget.spend()
    const outer = this.#lowest
    this.#lowest = Number.POSITIVE_INFINITY
    this.#open.set(key, depth)
    const found = fewer(compareNormals(this.old.normal(before), this.new.normal(after), this))
    this.#open.delete(key)
    const lowest = this.#lowest
    if (lowest >= depth) {
      this.#done.set(key, found)
      if (this.#provisional.size > 0) this.#forget(depth)
      this.#lowest = outer
    } else {
      this.#provisional.set(key, { found, lowest })
      this.#assumptions.push(key)
      this.#lowest = Math.min(outer, lowest)
    }
    return found
  }
}
