/** Deeper content is not walked: every recursive walk over it has to end. */
const DEEPEST = 128
/** Longer names are not read: each would stand in the place of everything that is inside of it. */
const LONGEST_NAME = 1000

/** Why nothing here walks a value; undefined of one that is walked. */
export function whyNotWalked(value: unknown, depth = 0): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > DEEPEST) return 'it is nested too deep'
  for (const key of Object.keys(value)) {
    if (key.length > LONGEST_NAME) return `a name in it has more than ${LONGEST_NAME} characters`
    const why = whyNotWalked((value as Record<string, unknown>)[key], depth + 1)
    if (why !== undefined) return why
  }
  return undefined
}
