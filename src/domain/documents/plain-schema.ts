import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { entriesOf } from '../interface/forms/content.ts'
import type { Slot } from '../interface/model.ts'
import { BOUNDS, standaloneOf } from '../interface/payload/standalone.ts'

/**
 * The schema of a place in words of JSON Schema 2020, and the schemas that it refers to, as parts of a document; `name`
 * begins the names of those.
 */
export function writtenSchema(
  { schema, at }: Slot,
  name: string,
): { readonly schema: Json; readonly schemas: JsonObject } {
  if (schema === null) return { schema: {}, schemas: {} }
  // Both sides at once: what is for one direction alone stays marked as such.
  const { $schema: _, $defs, ...own } = standaloneOf(schema, 'both', at).schema
  const prefix = `${name}.`
  const schemas = entriesOf($defs).map(([key, one]) => [`${prefix}${key}`, led(one, prefix)] as const)
  return { schema: led(own, prefix), schemas: Object.fromEntries(schemas) }
}

function led(value: Json, prefix: string): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map((inner) => led(inner, prefix))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    entriesOf(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string'
        ? inner.replace(/^#\/\$defs\//, `#/components/schemas/${prefix}`)
        : led(inner, prefix),
    ]),
  )
}

/** A document of OpenAPI 3.0 in the words of 3.1. */
export function asThreeOne(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(asThreeOne)
  if (!isJsonObject(value)) return value
  // Beside a reference nothing counts there.
  if (typeof value['$ref'] === 'string') return { $ref: value['$ref'] }
  const { nullable, ...rest } = Object.fromEntries(
    entriesOf(value).map(([key, one]) => [key, asThreeOne(one)]),
  ) as JsonObject
  const made =
    typeof nullable === 'boolean' || nullable === undefined ? bounds(rest) : { ...bounds(rest), nullable }
  if (nullable !== true) return made
  return typeof made['type'] === 'string' && made['enum'] === undefined
    ? { ...made, type: [made['type'], 'null'] }
    : { anyOf: [made, { type: 'null' }] }
}

function bounds(schema: JsonObject): JsonObject {
  const made: Record<string, Json | undefined> = { ...schema }
  for (const [open, closed] of Object.entries(BOUNDS)) {
    if (typeof made[open] !== 'boolean') continue
    if (made[open]) {
      made[open] = made[closed]
      delete made[closed]
    } else delete made[open]
  }
  return made
}
