import canonicalize from 'canonicalize'
import { sha256 } from '../text/sha256.ts'
import { isJsonObject, type JsonObject } from './json.ts'

/** RFC 8785 text: equal values have equal text, whatever the order of their keys. */
export const canonicalText = (value: unknown): string =>
  isInOrder(value) ? JSON.stringify(value) : sortedText(value)

/**
 * Whether `JSON.stringify` writes a value in canonical form without sorting, which takes a fraction of the time:
 * plain, well-formed JSON with sorted keys in all objects. This holds for everything parsed from canonical text,
 * except keys that look like numbers, which JavaScript puts first.
 */
export function isInOrder(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'number':
      return Number.isFinite(value)
    case 'boolean':
      return true
    case 'object':
      return value === null || (Array.isArray(value) ? value.every(isInOrder) : hasKeysInOrder(value))
    default:
      return false
  }
}

function hasKeysInOrder(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  let before: string | undefined
  for (const key of Object.keys(value)) {
    const isNext = before === undefined || before < key
    if (!isNext || !key.isWellFormed() || !isInOrder((value as Record<string, unknown>)[key])) return false
    before = key
  }
  return true
}

function sortedText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedText).join(',')}]`
  if (isJsonObject(value)) return objectText(value)
  return simpleText(value)
}

/** A fast path for plain JSON: the library takes several times as long, and handles everything else. */
function simpleText(value: unknown): string {
  if (typeof value === 'string' && NEEDS_NO_ESCAPE.test(value)) return `"${value}"`
  const isPlain =
    typeof value === 'string' ? value.isWellFormed() : value === null || Number.isSafeInteger(value)
  return isPlain ? JSON.stringify(value) : (canonicalize(value) ?? 'null')
}

/** Printable ASCII without the quote and the backslash: most texts. */
const NEEDS_NO_ESCAPE = /^[ !#-[\]-~]*$/

function objectText(value: JsonObject): string {
  let text = ''
  for (const key of sortedKeys(value)) {
    const inner = value[key]
    if (inner !== undefined) text += `${text === '' ? '{' : ','}${simpleText(key)}:${sortedText(inner)}`
  }
  return text === '' ? '{}' : `${text}}`
}

/** The keys are often sorted already, and checking that is faster than sorting. */
function sortedKeys(value: JsonObject): string[] {
  const keys = Object.keys(value)
  const isSorted = keys.every((key, index) => index === 0 || (keys[index - 1] ?? '') < key)
  return isSorted ? keys : keys.sort()
}

export const hashOf = (value: unknown): string => sha256(canonicalText(value))

/** A UUID derived from names, so that two replicas never invent different ones. */
export function derivedUuid(...names: string[]): string {
  const hex = hashOf(names)
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}

/** Code-unit order, the same on every machine and in every locale. */
export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
