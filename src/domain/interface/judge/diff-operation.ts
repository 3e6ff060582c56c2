import { addAll } from '../add-all.ts'
import { type Budget, TooLarge } from '../budget.ts'
import type { Difference, Operation, Sender, Slot } from '../model.ts'
import { Comparison } from '../schema/compare.ts'
import { defaultDifferences } from '../schema/compare-defaults.ts'
import { type Located, tellsDirections } from '../schema/source.ts'
import type { Add } from './diff-interfaces.ts'
import { besideDifferences, slotAdded, slotRemoved } from './slot-rules.ts'
import { alignStatus, coveredBy, isSubslotOf, statusOf } from './status.ts'
import { differingPlaces } from './structure.ts'

/** Compares operations slot by slot; schemas that several slots share are compared once. */
export class OperationDiff {
  readonly #budget: Budget
  readonly #add: Add
  readonly #comparisons = new Map<string, Comparison>()

  constructor(budget: Budget, add: Add) {
    this.#budget = budget
    this.#add = add
  }

  compare(first: Operation, second: Operation): void {
    const [before, after] = alignStatus(first, second)
    const [olds, news] = [byPlace(before.slots), byPlace(after.slots)]
    const at = (slot: Slot) => `${after.prefix}${slot.at}`
    for (const [place, slot] of olds) {
      const now = news.get(place) ?? coveredBy(slot, news)
      if (now !== undefined) this.#slots(slot, now, at(slot))
      else if (!isSubslotOf(slot, olds, news)) this.#add(slotRemoved(slot), at(slot), slot.sender)
    }
    for (const [place, slot] of news) {
      if (olds.has(place)) continue
      const was = coveredBy(slot, olds)
      if (was !== undefined) this.#slots(was, slot, at(slot))
      else if (!isSubslotOf(slot, news, olds)) this.#add(slotAdded(slot), at(slot), slot.sender)
    }
    this.#opaque(before, after)
  }

  #slots(before: Slot, after: Slot, at: string): void {
    const found: Difference[] = []
    if (!before.required && after.required)
      found.push({ path: '', kind: 'slot-became-required', narrows: 'yes', widens: 'no' })
    if (before.required && !after.required)
      found.push({
        path: '',
        kind: 'slot-became-optional',
        narrows: 'no',
        widens: 'yes',
        tolerance: 'missing_optional',
      })
    addAll(found, besideDifferences(before, after))
    for (const one of [...found, ...this.#schemas(before, after)]) this.#add(one, at, before.sender)
  }

  #schemas(before: Slot, after: Slot): readonly Difference[] {
    if (before.schema === null && after.schema === null) return []
    if (before.schema === null || after.schema === null)
      return statusOf(before) !== null ? [] : described(after)
    const comparison = this.#comparisonFor(before.schema, after.schema, after)
    try {
      const [old, now] = [[before.schema], [after.schema]]
      const found = comparison.differences(old, now)
      if (before.required || after.required) return found
      return [...found, ...defaultDifferences(comparison.old.normal(old), comparison.new.normal(now))]
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      this.#comparisons.clear()
      // Throws again where nothing is left to spend.
      this.#budget.spend()
      return [{ path: '', kind: 'too-large', narrows: 'unsure', widens: 'unsure' }]
    }
  }

  /** Who sends matters to those schemas only that say it somewhere; all others are compared once. */
  #comparisonFor(before: Located, after: Located, { sender, isText = false }: Slot): Comparison {
    const isDirected = tellsDirections(before.document) || tellsDirections(after.document)
    const own: Sender = isDirected ? sender : 'both'
    const key = `${own} ${isText}`
    const known = this.#comparisons.get(key) ?? new Comparison(this.#budget, { sender: own, isText })
    this.#comparisons.set(key, known)
    return known
  }

  #opaque(before: Operation, after: Operation): void {
    const [olds, news] = [byPlace(before.opaque), byPlace(after.opaque)]
    for (const at of new Set([...olds.keys(), ...news.keys()])) {
      const sender = (news.get(at) ?? olds.get(at))?.sender ?? 'both'
      const places = differingPlaces(olds.get(at)?.value ?? null, news.get(at)?.value ?? null, this.#budget)
      for (const place of places) {
        const path = place === '' ? '' : `${at === '' ? '' : '.'}${place}`
        const change: Difference = { path, kind: 'not-looked-at', narrows: 'unsure', widens: 'unsure' }
        this.#add(change, `${after.prefix}${at}`, sender)
      }
    }
  }
}

const byPlace = <Part extends { readonly at: string }>(parts: readonly Part[]): Map<string, Part> =>
  new Map(parts.map((part) => [part.at, part]))

/** Before something is described it is anything. */
const described = (after: Slot): Difference[] =>
  after.schema === null
    ? [{ path: '', kind: 'undescribed', narrows: 'no', widens: 'unsure' }]
    : [{ path: '', kind: 'described', narrows: 'unsure', widens: 'no' }]
