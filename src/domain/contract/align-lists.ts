import type { Json } from '../../protocol/json/json.ts'
import { commonItems, type Match, type PairBudget } from './common-items.ts'

// The page in the browser shares this file: it must reach no package and no `node:`.

/** Places of two items that belong together; one is missing where an item was added or removed. */
export interface ItemPair {
  readonly before?: number
  readonly after?: number
}

/** Fields by which the items of a list are usually told apart. */
const NAMES = ['id', 'name', 'key', 'path']

/** How much is looked at before lists are paired by their order alone. */
export interface AlignmentBounds {
  /** Values in the items. */
  readonly values: number
  /** Pairs of items. */
  readonly pairs: number
}

export type ListAlignment = ReturnType<typeof listAlignment>

/** Aligns the lists of two documents: by the names of their items where all have one, else by what is equal. */
export function listAlignment({ values, pairs }: AlignmentBounds = { values: 200_000, pairs: 2_000_000 }) {
  let valuesLeft = values
  const budget: PairBudget = { left: pairs }
  /** Equal values have the same number. */
  const numbers = new Map<string, number>()
  const known = new Map<object, number>()

  function align(before: readonly Json[], after: readonly Json[]): readonly ItemPair[] {
    const field = NAMES.find((name) => isNamedBy(name, before) && isNamedBy(name, after))
    const keys = (items: readonly Json[]) =>
      items.map((item) => numberOf(field === undefined ? item : (fieldOf(item, field) ?? null)))
    try {
      const [a, b] = [keys(before), keys(after)]
      const lengths = { before: a.length, after: b.length, isPaired: field === undefined }
      return pairsAround(commonItems(a, b, budget), lengths)
    } catch (error) {
      if (!(error instanceof TooMuch)) throw error
      return pairsAround([], { before: before.length, after: after.length, isPaired: true })
    }
  }

  function numberOf(value: Json): number {
    const before = typeof value === 'object' && value !== null ? known.get(value) : undefined
    if (before !== undefined) return before
    if (--valuesLeft < 0) throw new TooMuch()
    const text = textOf(value)
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    if (typeof value === 'object' && value !== null) known.set(value, number)
    return number
  }

  /** Has the numbers of what is inside in its place, so that it is short however deep the value is. */
  function textOf(value: Json): string {
    if (Array.isArray(value)) return `[${value.map((item) => numberOf(item)).join()}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const fields = Object.entries(value as { readonly [key: string]: Json | undefined })
      .flatMap(([key, inner]) => (inner === undefined ? [] : [`${JSON.stringify(key)}:${numberOf(inner)}`]))
      .sort()
    return `{${fields.join()}}`
  }

  return { align }
}

class TooMuch extends Error {}

const fieldOf = (item: Json, field: string): Json | undefined =>
  typeof item === 'object' && item !== null && !Array.isArray(item) && Object.hasOwn(item, field)
    ? (item as { readonly [key: string]: Json | undefined })[field]
    : undefined

/** Whether each item has this field, with another text or number. */
function isNamedBy(field: string, items: readonly Json[]): boolean {
  const names = items.map((item) => fieldOf(item, field))
  return (
    names.every((name) => typeof name === 'string' || typeof name === 'number') &&
    new Set(names).size === items.length
  )
}

interface Lengths {
  readonly before: number
  readonly after: number
  /** Whether items between two matches are taken for changed ones, and not for removed and added ones. */
  readonly isPaired: boolean
}

function pairsAround(matches: readonly Match[], { before, after, isPaired }: Lengths): readonly ItemPair[] {
  const pairs: ItemPair[] = []
  let [x, y] = [0, 0]
  for (const [nextX, nextY] of [...matches, [before, after] as const]) {
    while (isPaired && x < nextX && y < nextY) pairs.push({ before: x++, after: y++ })
    while (x < nextX) pairs.push({ before: x++ })
    while (y < nextY) pairs.push({ after: y++ })
    if (x < before && y < after) pairs.push({ before: x++, after: y++ })
  }
  return pairs
}
