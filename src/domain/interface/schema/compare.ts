import { defined } from '../../../protocol/collections/defined.ts'
import { type Budget, MOST_DEPTH, TooLarge, WORK } from '../budget.ts'
import { change } from '../difference.ts'
import type { Difference, Sender } from '../model.ts'
import { compareNormals } from './compare-normals.ts'
import { fewer } from './fewer.ts'
import { normaliserFor } from './normalise.ts'
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
  /** Values are sent as text, so that a number is a text too. */
  readonly isText: boolean
  /** Whether nothing differs, as far as that is seen without a comparison. Shared by all comparisons of two documents. */
  readonly areSame: SameSchemas
}

const NONE: readonly Difference[] = []

export type Comparison = ReturnType<typeof comparisonOf>

/**
 * Compares schemas of an old and a new document that may lead back to themselves. Two that are being compared already
 * are taken for equal where they meet again inside: what differs is told where they were met first. What was found under
 * such an assumption is kept only while the assumption stands, for elsewhere it would hide what was told outside of it.
 */
export function comparisonOf(budget: Budget, { sender, isText, areSame }: Question) {
  const old = normaliserFor(budget, sender)
  const now = normaliserFor(budget, sender)
  const done = new Map<number, readonly Difference[]>()
  const provisional = new Map<number, Provisional>()
  /** Keys of what is provisional, in the order in which it was found. */
  const assumptions: number[] = []
  const open = new Map<number, number>()
  let lowest = Number.POSITIVE_INFINITY
  const comparison = { old, new: now, budget, isText, areSame, differences, defaults, addUnder, trial }
  return comparison

  function differences(before: Source, after: Source): readonly Difference[] {
    if (areSame(before, after)) return NONE
    const key = old.idOf(before) * MOST_IDS + now.idOf(after)
    const known = done.get(key)
    if (known !== undefined) {
      budget.spend(WORK.copy)
      return known
    }
    const depth = open.get(key)
    if (depth !== undefined) return assumed([], depth)
    const assuming = provisional.get(key)
    if (assuming !== undefined) return assumed(assuming.found, assuming.lowest)
    return compare(key, before, after)
  }

  /** Adds differences that were found inside, told from outside. Written out, for there can be very many. */
  function addUnder(into: Difference[], at: string, found: readonly Difference[]): void {
    budget.spend(found.length * WORK.copy)
    for (const { path, kind, narrows, widens, before, after, beforeWords, afterWords, tolerance } of found)
      into.push({ path: at + path, kind, narrows, widens, before, after, beforeWords, afterWords, tolerance })
  }

  /** What has another value when it is left out behaves differently for those who leave it out. */
  function defaults(before: Source, after: Source): Difference[] {
    const fallbacks = { before: old.normal(before).fallback, after: now.normal(after).fallback }
    if (fallbacks.before === fallbacks.after) return []
    if (JSON.stringify(fallbacks.before) === JSON.stringify(fallbacks.after)) return []
    return [change('default-changed', 'depends', 'no', defined(fallbacks))]
  }

  /** What would differ; nothing that was assumed on the way is kept, for what is found here may be told nowhere. */
  function trial(compare: () => readonly Difference[]): readonly Difference[] {
    const { length } = assumptions
    const found = compare()
    for (const key of assumptions.splice(length)) provisional.delete(key)
    return found
  }

  /** Of what was found since, forgets all that assumed a comparison which has ended: it lacks what that one tells. */
  function forget(since: number, depth: number): void {
    let kept = since
    for (const key of assumptions.slice(since))
      if ((provisional.get(key)?.lowest ?? depth) >= depth) provisional.delete(key)
      else assumptions[kept++] = key
    assumptions.length = kept
  }

  function assumed(found: readonly Difference[], depth: number): readonly Difference[] {
    lowest = Math.min(lowest, depth)
    budget.spend(WORK.comparison)
    return found
  }

  function compare(key: number, before: Source, after: Source): readonly Difference[] {
    const depth = open.size
    if (depth >= MOST_DEPTH) throw new TooLarge('nested too deep')
    budget.spend(WORK.comparison)
    const since = assumptions.length
    const outer = lowest
    lowest = Number.POSITIVE_INFINITY
    open.set(key, depth)
    const found = fewer(compareNormals(old.normal(before), now.normal(after), comparison))
    open.delete(key)
    forget(since, depth)
    if (lowest >= depth) {
      done.set(key, found)
      lowest = outer
    } else {
      provisional.set(key, { found, lowest })
      assumptions.push(key)
      lowest = Math.min(outer, lowest)
    }
    return found
  }
}
