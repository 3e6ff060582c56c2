/** Stands in an advised call for text that the caller has to write. */
export const PLACEHOLDER = '…'

/** The path of keys to a placeholder that the caller has not replaced, outermost first; undefined if there is none. */
export function findPlaceholder(value: unknown): readonly string[] | undefined {
  if (value === PLACEHOLDER) return []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    if (key === PLACEHOLDER) return []
    const found = findPlaceholder(inner)
    if (found !== undefined) return [key, ...found]
  }
  return undefined
}
