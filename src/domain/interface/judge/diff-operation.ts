import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import { type Budget, TooLarge, WORK } from '../budget.ts'
import { change, unsure } from '../difference.ts'
import type { Difference, Operation, Sender, Slot } from '../model.ts'
import { type Comparison, comparisonOf } from '../schema/compare.ts'
import { sameSchemas } from '../schema/same-schemas.ts'
import type { FoundChanges } from './found-changes.ts'
import { besideDifferences, slotAdded, slotRemoved } from './slot-rules.ts'
import { alignStatus, coveredBy, isSubslotOf, statusOf } from './status.ts'

interface Deps {
  readonly budget: Budget
  readonly changes: FoundChanges
  /** Whether anything is for one direction alone. */
  readonly isDirected: boolean
}

/** Compares operations slot by slot; schemas that several slots share are compared once. */
export function operationDiff({ budget, changes, isDirected }: Deps) {
  const areSame = sameSchemas(budget)
  const comparisons = new Map<string, Comparison>()

  return function compare(first: Operation, second: Operation): void {
    budget.spend(second.slots.length * WORK.slot)
    const [before, after] = alignStatus(first, second)
    const olds = byPlace(before.slots)
    const news = byPlace(after.slots)
    for (const [place, slot] of olds) {
      const at = `${after.prefix}${place}`
      const now = news.get(place) ?? coveredBy(slot, news)
      if (now !== undefined) compareSlots(slot, now, at)
      else if (!isSubslotOf(slot, olds, news)) changes.add([slotRemoved(slot)], at, slot.sender)
    }
    for (const [place, slot] of news) {
      if (olds.has(place)) continue
      const at = `${after.prefix}${place}`
      const was = coveredBy(slot, olds)
      if (was !== undefined) compareSlots(was, slot, at)
      else if (!isSubslotOf(slot, news, olds)) changes.add([slotAdded(slot)], at, slot.sender)
    }
    compareOpaque(before, after)
  }

  function compareSlots(before: Slot, after: Slot, at: string): void {
    const { sender } = before
    if (!before.required && after.required) changes.add([BECAME_REQUIRED], at, sender)
    if (before.required && !after.required) changes.add([BECAME_OPTIONAL], at, sender)
    if (before.beside !== undefined || after.beside !== undefined)
      changes.add(besideDifferences(before, after), at, sender)
    changes.add(schemaDifferences(before, after), at, sender)
  }

  function schemaDifferences(before: Slot, after: Slot): readonly Difference[] {
    if (before.schema === null && after.schema === null) return []
    if (before.schema === null || after.schema === null)
      return statusOf(before) !== null ? [] : described(after)
    const old = [before.schema]
    const now = [after.schema]
    try {
      if (areSame(old, now)) return []
      const comparison = comparisonFor(after)
      const found = comparison.differences(old, now)
      if (before.required || after.required) return found
      return [...found, ...comparison.defaults(old, now)]
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error
      comparisons.clear()
      // Throws again where nothing is left to spend.
      budget.spend()
      return [unsure('too-large')]
    }
  }

  /** Who sends matters only where something is for one direction alone; all else is compared once. */
  function comparisonFor({ sender, isText = false }: Slot): Comparison {
    const own: Sender = isDirected ? sender : 'both'
    const question = { sender: own, isText, areSame }
    return getOrAdd(comparisons, isText ? `${own} as text` : own, () => comparisonOf(budget, question))
  }

  function compareOpaque(before: Operation, after: Operation): void {
    if (before.opaque.length + after.opaque.length === 0) return
    const olds = byPlace(before.opaque)
    const news = byPlace(after.opaque)
    for (const at of new Set([...olds.keys(), ...news.keys()])) {
      const sender = (news.get(at) ?? olds.get(at))?.sender ?? 'both'
      const places = differingPlaces(olds.get(at)?.value ?? null, news.get(at)?.value ?? null, budget)
      const found = places.map((place) => {
        const path = place === '' ? '' : `${at === '' ? '' : '.'}${place}`
        return unsure('not-looked-at', { path })
      })
      changes.add(found, `${after.prefix}${at}`, sender)
    }
  }
}

const BECAME_REQUIRED = change('slot-became-required', 'yes', 'no')
const BECAME_OPTIONAL = change('slot-became-optional', 'no', 'yes', { tolerance: 'missing_optional' })

function byPlace<Part extends { readonly at: string }>(parts: readonly Part[]): Map<string, Part> {
  const places = new Map<string, Part>()
  for (const part of parts) places.set(part.at, part)
  return places
}

/** Before something is described it is anything. */
const described = (after: Slot): Difference[] => [
  after.schema === null ? change('undescribed', 'no', 'unsure') : change('described', 'unsure', 'no'),
]

/** Places that are told of what is not understood. */
const MOST = 20

/** Where two pieces of JSON differ, as deep as they are both objects; empty where they are equal. */
function differingPlaces(before: Json, after: Json, budget: Budget): readonly string[] {
  const found: string[] = []
  const walk = (path: string, a: Json | undefined, b: Json | undefined): void => {
    budget.spend()
    if (found.length >= MOST || a === b) return
    if (isJsonObject(a) && isJsonObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const inner = path === '' ? key : `${path}.${key}`
        walk(inner, Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined)
      }
    } else if (a === undefined || b === undefined || canonicalText(a) !== canonicalText(b)) found.push(path)
  }
  walk('', before, after)
  return found.sort()
}
