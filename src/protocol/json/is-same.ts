import { isJsonObject, type Json } from './json.ts'

/** Whether two values are equal, whatever the order of their keys. Ends at the first difference. */
export function isSameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((one, index) => isSameJson(one, b[index]))
  if (!isJsonObject(a) || !isJsonObject(b)) return false
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) if (!Object.hasOwn(b, key) || !isSameJson(a[key], b[key])) return false
  return true
}
