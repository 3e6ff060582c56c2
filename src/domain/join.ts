import { canonicalText, compareText } from '../protocol/canonical.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import type { Register } from './model.ts'

/**
 * The few lattice joins that every merge is made of. Each is commutative, associative and idempotent,
 * reads no clock and changes nothing in place.
 */

export type Order<T> = (a: T, b: T) => number

export const maxBy = <T>(order: Order<T>, a: T, b: T): T => (order(a, b) >= 0 ? a : b)

/** Total order on any JSON values, for ties that nothing meaningful decides. */
export const byText = (a: unknown, b: unknown): number =>
  a === b ? 0 : compareText(canonicalText(a), canonicalText(b))

/** The newest write wins; at the same moment, the larger text. */
export const newest = <T>(a: Register<T>, b: Register<T>): Register<T> =>
  maxBy((x, y) => compareText(x.at, y.at) || byText(x.value, y.value), a, b)

/** What makes two items of a collection the same one, what they join to, and how the collection is sorted. */
export interface Joining<T> {
  readonly key: (item: T) => string
  readonly join: (a: T, b: T) => T
  readonly order: Order<T>
}

/** Union by key, equal keys joined, in the given order. */
export function joinBy<T>(
  { key, join, order }: Joining<T>,
  left: readonly T[],
  right: readonly T[],
): readonly T[] {
  if (left.length + right.length <= 1) return left.length === 0 ? right : left
  const joined = new Map<string, T>()
  for (const item of [...left, ...right]) {
    const present = joined.get(key(item))
    joined.set(key(item), present === undefined ? item : join(present, item))
  }
  return [...joined.values()].sort(order)
}

export function unionOfTexts(left: readonly string[], right: readonly string[]): readonly string[] {
  return [...new Set([...left, ...right])].sort(compareText)
}

/** Keys unknown to this version: all are kept, and where both sides have one, the larger text. */
export function joinExtra(left: JsonObject, right: JsonObject): JsonObject {
  const keys = unionOfTexts(Object.keys(left), Object.keys(right))
  return Object.fromEntries(keys.map((key) => [key, joinValue(own(left, key), own(right, key))]))
}

/** Not what an object inherits: a peer may well send a key named `constructor`. */
const own = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

const joinValue = (a: Json | undefined, b: Json | undefined): Json | undefined =>
  a === undefined ? b : b === undefined ? a : maxBy(byText, a, b)

/** Whether two JSON values say the same, whatever the order of their keys. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isEqual(a[key as never], b[key as never]))
  )
}
