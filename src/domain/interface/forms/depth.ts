/** Deeper content is not walked: every recursive walk over it has to end. */
const DEEPEST = 128

/** Whether a value is nested deeper than anything here walks. Itself needs no stack. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEEPEST) return true
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []))
  }
  return false
}
