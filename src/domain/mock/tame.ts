import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { keyOf, targetOf } from '../interface/schema/source.ts'

/** Schemas that a value is held against, with everything that is referred to. */
const MOST = 2000
/** What can take long on some values: patterns of others, and every pair of a list. */
const WILD = new Set(['pattern', 'patternProperties', 'propertyNames', 'uniqueItems', '$dynamicRef'])

/** Whether to compare a value with a schema that stands for itself takes little time, whatever the value is. */
export function isTame(schema: JsonObject): boolean {
  const document = { root: schema, ignoresRefSiblings: false }
  let left = MOST
  const walk = (value: Json | undefined, above: readonly string[]): boolean => {
    if (typeof value !== 'object' || value === null) return true
    if (--left < 0) return false
    if (!isJsonObject(value)) return (value as readonly Json[]).every((inner) => walk(inner, above))
    const ref = keyOf(value, '$ref')
    if (typeof ref === 'string') {
      // What goes in circles can branch at every turn.
      if (above.includes(ref) || !walk(targetOf(ref, document), [...above, ref])) return false
    }
    return Object.keys(value).every((key) => key === '$defs' || (!WILD.has(key) && walk(value[key], above)))
  }
  return walk(schema, [])
}
