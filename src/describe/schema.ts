import * as z from 'zod'
import { mapValues } from '../protocol/collections/map-values.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json/json.ts'

/**
 * A zod schema as JSON Schema, as callers see it: a field with a default is not required. It refers to the components as
 * `#/components/schemas/<name>`. OpenRPC uses JSON Schema draft 7, OpenAPI 3.1 uses 2020-12.
 */
export function describeSchema(type: z.ZodType, target: 'draft-7' | 'draft-2020-12' = 'draft-7') {
  const exported = z.toJSONSchema(type, { io: 'input', target, unrepresentable: 'any' })
  const { $schema: _, definitions, $defs, ...schema } = repoint(exported as Json) as JsonObject
  return { schema, components: (definitions ?? $defs ?? {}) as Record<string, JsonObject> }
}

/** Rewrites references from where zod puts named shapes to where OpenRPC and OpenAPI expect them. */
function repoint(value: Json): Json {
  if (typeof value === 'string') return value.replace(/^#\/(?:definitions|\$defs)\//, '#/components/schemas/')
  if (Array.isArray(value)) return value.map(repoint)
  if (!isJsonObject(value)) return value
  return mapValues(value, (inner) => repoint(inner ?? null))
}
