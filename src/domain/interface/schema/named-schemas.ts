import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'

/** Deeper nobody names anything. */
const DEEPEST = 128

/** What stands under these is data, whatever its keys are. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples'])

const known = new WeakMap<JsonObject, ReadonlyMap<string, Json>>()

/**
 * The schemas of a document by the names that they give themselves: `#name` by `$anchor` and `$dynamicAnchor`, and what
 * they say as `$id`. Of a name that two of them have nobody knows what it leads to, so that a change of either is seen.
 */
export function namedSchemas(root: JsonObject): ReadonlyMap<string, Json> {
  const found = known.get(root)
  if (found !== undefined) return found
  const named = new Map<string, Json>()
  walk(root, 0, (name, schema) => {
    const other = named.get(name)
    if (other === undefined) named.set(name, schema)
    else if (other !== schema) named.set(name, { $unreadable: [other, schema] })
  })
  known.set(root, named)
  return named
}

function walk(value: Json, depth: number, add: (name: string, schema: JsonObject) => void): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return
  if (isJsonObject(value)) {
    const { $anchor: anchor, $dynamicAnchor: dynamic, $id: id } = value
    for (const name of [anchor, dynamic]) if (typeof name === 'string') add(`#${name}`, value)
    if (typeof id === 'string') add(id, value)
  }
  for (const [key, inner] of Object.entries(value)) if (!DATA.has(key)) walk(inner ?? null, depth + 1, add)
}
