import { isJsonObject, type Json } from '../../protocol/json/json.ts'
import type { Slot } from '../interface/model.ts'
import { keyOf, targetOf } from '../interface/schema/source.ts'

/** The values that a contract gives for a place, those with a name first. */
export function examplesOf({
  examples = {},
  schema,
}: Slot): readonly (readonly [name: string, value: Json])[] {
  const named = Object.entries(examples)
  if (schema === null || !isJsonObject(schema.schema)) return named
  const ref = keyOf(schema.schema, '$ref')
  const meant = typeof ref === 'string' ? targetOf(ref, schema.document) : schema.schema
  if (!isJsonObject(meant)) return named
  const one = keyOf(meant, 'example')
  const more = keyOf(meant, 'examples')
  const unnamed = [
    ...(one === undefined ? [] : [one]),
    ...(Array.isArray(more) ? (more as readonly Json[]) : []),
  ]
  return [...named, ...unnamed.map((value) => ['', value] as const)]
}
