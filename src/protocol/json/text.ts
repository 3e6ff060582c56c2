/** How many characters of text each `memoized` function keeps at least, and at most twice. */
const KEPT_CHARS = 4 * 1024 * 1024

const texts = new WeakMap<object, string>()

/**
 * What is shown of a value that never changes does not change either. So it is made once, and its JSON text
 * with it, and both are kept while they are in use: in two generations, of which the older one is dropped
 * when the newer one is full.
 */
export function memoized<Value extends object, Shown extends object>(
  show: (value: Value) => Shown,
): (value: Value) => Shown {
  let recent = new Map<Value, Shown>()
  let earlier = recent
  let room = KEPT_CHARS

  return (value) => {
    const known = recent.get(value)
    if (known !== undefined) return known
    const shown = earlier.get(value) ?? Object.freeze(show(value))
    const text = jsonText(shown, 1)
    texts.set(shown, text)
    recent.set(value, shown)
    room -= text.length
    if (room < 0) {
      earlier = recent
      recent = new Map()
      room = KEPT_CHARS
    }
    return shown
  }
}

/** The text of a memoized value; undefined of any other. */
export const keptText = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null ? texts.get(value) : undefined

/** JSON.stringify for answers: takes the text of memoized values, down to the lists in a result, from memory. */
export function jsonText(value: unknown, depth = 2): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const known = texts.get(value)
  if (known !== undefined) return known
  if (Array.isArray(value))
    return depth > 0 || texts.has(value[0]) ? listText(value, depth) : JSON.stringify(value)
  return depth > 0 ? objectText(value, depth - 1) : JSON.stringify(value)
}

// Joined, not added up: a text that V8 keeps as a tree of its pieces would be put together at every use.

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
