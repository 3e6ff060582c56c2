import * as z from 'zod'
import { LIMITS } from '../limits.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a parsed value has no more levels than this. */
export const isShallow = (value: unknown, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1)))

/** A free object. Kept by reference, so that it comes back equal whatever its keys are (`__proto__` included). */
export const FreeObject = z.custom<JsonObject>(isJsonObject, 'must be a JSON object').meta({ type: 'object' })

const isContentLength = (value: JsonObject): boolean => JSON.stringify(value).length <= LIMITS.contentLength

/** The content of a contract or packet. */
export const Content = FreeObject.refine(isContentLength, {
  error: `must be at most ${LIMITS.contentLength} characters of JSON; share larger material as a file (POST /files, then cacp/file/share)`,
}).meta({ type: 'object' })

/**
 * Finds a part of a parsed value that cannot be stored: too deep, a number that JSON.parse has already changed, or
 * half of a surrogate pair. Says where it is, inside of what `root` names, and what to do, or returns undefined.
 */
export function findUnstorable(
  value: unknown,
  { root = [], depth = LIMITS.depth }: { root?: readonly string[]; depth?: number } = {},
): string | undefined {
  const found = search(value, depth)
  if (found === undefined) return undefined
  const path = [...root, ...found.path.reverse()].join('.')
  return `${path === '' ? 'The value' : path.length <= 120 ? path : `${path.slice(0, 117)}...`} ${found.problem}`
}

interface Unstorable {
  problem: string
  /** Keys from the inside out; filled while the search unwinds, so that clean input pays nothing for it. */
  path: string[]
}

function search(value: unknown, depth: number): Unstorable | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : { problem: HALF_PAIR, path: [] }
  if (typeof value === 'number') return searchNumber(value)
  if (typeof value !== 'object' || value === null) return undefined
  if (depth === 0) return { problem: `is nested more than ${LIMITS.depth} levels deep; flatten it`, path: [] }
  for (const key of Object.keys(value)) {
    const found = key.isWellFormed()
      ? search((value as Record<string, unknown>)[key], depth - 1)
      : { problem: `has a key that ${HALF_PAIR}`, path: [] }
    if (found !== undefined) {
      found.path.push(key)
      return found
    }
  }
  return undefined
}

const HALF_PAIR = 'holds half of a surrogate pair; send well-formed Unicode'

function searchNumber(value: number): Unstorable | undefined {
  if (!Number.isFinite(value)) return { problem: 'is a number too large for JSON; send it as text', path: [] }
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return { problem: 'is an integer beyond 2^53, which JSON readers round; send it as text', path: [] }
  return undefined
}
