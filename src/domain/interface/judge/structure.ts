import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json } from '../../../protocol/json/json.ts'
import type { Budget } from '../budget.ts'

/** Places that are told of what is not understood. */
const MOST = 20

/** Where two pieces of JSON differ, as deep as they are both objects; empty where they are equal. */
export function differingPlaces(before: Json, after: Json, budget: Budget): readonly string[] {
  const found: string[] = []
  const walk = (path: string, a: Json | undefined, b: Json | undefined): void => {
    budget.spend()
    if (found.length >= MOST || a === b) return
    if (isJsonObject(a) && isJsonObject(b)) {
      for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
        const inner = path === '' ? key : `${path}.${key}`
        walk(inner, Object.hasOwn(a, key) ? a[key] : undefined, Object.hasOwn(b, key) ? b[key] : undefined)
      }
    } else if (a === undefined || b === undefined || canonicalText(a) !== canonicalText(b)) found.push(path)
  }
  walk('', before, after)
  return found.sort()
}
