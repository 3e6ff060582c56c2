/** What stands in an advised call where the caller has to write something of its own. */
export const PLACEHOLDER = '…'

/** Where a value, as deep as it may be, still has a placeholder instead of the caller's own text: its keys, outermost first. */
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
