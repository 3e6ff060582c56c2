/** Deeper content is not walked: every recursive walk over it has to end. */
const DEEPEST = 128

/** Whether a value is nested deeper than anything here walks. */
export function isTooDeep(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (depth > DEEPEST) return true
  for (const key of Object.keys(value))
    if (isTooDeep((value as Record<string, unknown>)[key], depth + 1)) return true
  return false
}
