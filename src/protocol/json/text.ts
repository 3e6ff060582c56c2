import { RecentCache } from '../collections/recent-cache.ts'

/** How many characters of text each `memoized` function keeps at least. */
const KEPT_CHARS = 4 * 1024 * 1024

const texts = new WeakMap<object, string>()

/**
 * Caches the rendering of immutable values together with its JSON text. A value that nobody else holds any more, such
 * as an earlier version, is dropped at once, with all that it refers to.
 */
export function memoized<Value extends object, Rendered extends object>(
  render: (value: Value) => Rendered,
): (value: Value) => Rendered {
  const known = new RecentCache<Value, Rendered>(KEPT_CHARS)
  return (value) => {
    const rendered = known.get(value)
    if (rendered !== undefined) return rendered
    const made = Object.freeze(render(value))
    const text = jsonText(made, 1)
    texts.set(made, text)
    known.set(value, made, text.length)
    return made
  }
}

/** The text of a memoized value; undefined for any other. */
export const keptText = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? texts.get(value) : undefined

/** JSON.stringify for answers: uses the cached text of memoized values, down to the lists in a result. */
export function jsonText(value: unknown, depth = 2): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value))
    return depth > 0 || texts.has(value[0]) ? listText(value, depth) : JSON.stringify(value)
  return depth > 0 ? objectText(value, depth - 1) : JSON.stringify(value)
}

// Joined, not concatenated: V8 would keep a concatenated text as a tree and flatten it at every use.

function listText(list: readonly unknown[], depth: number): string {
  return `[${list.map((item) => jsonText(item, depth)).join(',')}]`
}

function objectText(object: object, depth: number): string {
  const pieces: string[] = []
  for (const key of Object.keys(object)) {
    const value = (object as Record<string, unknown>)[key]
    if (value === undefined) continue
    pieces.push(pieces.length === 0 ? '{' : ',', JSON.stringify(key), ':', jsonText(value, depth))
  }
  pieces.push(pieces.length === 0 ? '{}' : '}')
  return pieces.join('')
}
