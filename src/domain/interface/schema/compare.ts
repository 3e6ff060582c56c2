import { type Budget, MOST_DEPTH, TooLarge, WORK } from '../budget.ts'
import type { Difference, Sender } from '../model.ts'
import { compareNormals } from './compare-normals.ts'
import { fewer } from './fewer.ts'
import { Normaliser } from './normalise.ts'
import type { SameSchemas } from './same-schemas.ts'
import type { Source } from './source.ts'

/** More than there are pieces in a document. */
const MOST_IDS = 2 ** 26

interface Provisional {
  readonly found: readonly Difference[]
  /** How far down the comparison stands that it takes for settled. */
  readonly lowest: number
}

interface Question {
  readonly sender: Sender
  readonly isText: boolean
  /** Shared by all comparisons of two documents. */
  readonly same: Pick<SameSchemas, 'areSame'>
}

const NONE: readonly Difference[] = []

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
  readonly #done = new Map<number, readonly Difference[]>()
  readonly #provisional = new Map<number, Provisional>()
  /** Keys of what is provisional, in the order in which it was found. */
  readonly #assumptions: number[] = []
  readonly #open = new Map<number, number>()
  readonly #same: Question['same']
  #lowest = Number.POSITIVE_INFINITY

  constructor(budget: Budget, { sender, isText, same }: Question) {
    this.budget = budget
    this.isText = isText
    this.#same = same
    this.old = new Normaliser(budget, sender)
    this.new = new Normaliser(budget, sender)
  }

  /** Whether nothing differs, as far as that is seen without a comparison. */
  areSame(before: Source, after: Source): boolean {
    return this.#same.areSame(before, after)
  }

  differences(before: Source, after: Source): readonly Difference[] {
    if (this.areSame(before, after)) return NONE
    const key = this.old.idOf(before) * MOST_IDS + this.new.idOf(after)
    const known = this.#done.get(key)
    if (known !== undefined) {
      this.budget.spend(WORK.copy)
      return known
    }
    const depth = this.#open.get(key)
    if (depth !== undefined) return this.#assumed([], depth)
    const provisional = this.#provisional.get(key)
    if (provisional !== undefined) return this.#assumed(provisional.found, provisional.lowest)
    return this.#compare(key, before, after)
  }

  /** Adds differences that were found inside, told from outside. Written out, for there can be very many. */
  addUnder(into: Difference[], at: string, found: readonly Difference[]): void {
    this.budget.spend(found.length * WORK.copy)
    for (const { path, kind, narrows, widens, before, after, beforeWords, afterWords, tolerance } of found)
      into.push({ path: at + path, kind, narrows, widens, before, after, beforeWords, afterWords, tolerance })
  }

  /** What would differ; nothing that was assumed on the way is kept, for what is found here may be told nowhere. */
  trial(compare: () => readonly Difference[]): readonly Difference[] {
    const { length } = this.#assumptions
    const found = compare()
    for (const key of this.#assumptions.splice(length)) this.#provisional.delete(key)
    return found
  }

  /** Of what was found since, forgets all that assumed a comparison which has ended: it lacks what that one tells. */
  #forget(since: number, depth: number): void {
    let kept = since
    for (const key of this.#assumptions.slice(since))
      if ((this.#provisional.get(key)?.lowest ?? depth) >= depth) this.#provisional.delete(key)
      else this.#assumptions[kept++] = key
    this.#assumptions.length = kept
  }

  #assumed(found: readonly Difference[], lowest: number): readonly Difference[] {
    this.#lowest = Math.min(this.#lowest, lowest)
    this.budget.spend(WORK.comparison)
    return found
  }

  #compare(key: number, before: Source, after: Source): readonly Difference[] {
    const depth = this.#open.size
    if (depth >= MOST_DEPTH) throw new TooLarge('nested too deep')
    this.budget.spend(WORK.comparison)
    const since = this.#assumptions.length
    const outer = this.#lowest
    this.#lowest = Number.POSITIVE_INFINITY
    this.#open.set(key, depth)
    const found = fewer(compareNormals(this.old.normal(before), this.new.normal(after), this))
    this.#open.delete(key)
    const lowest = this.#lowest
    this.#forget(since, depth)
    if (lowest >= depth) {
      this.#done.set(key, found)
      this.#lowest = outer
    } else {
      this.#provisional.set(key, { found, lowest })
      this.#assumptions.push(key)
      this.#lowest = Math.min(outer, lowest)
    }
    return found
  }
}
