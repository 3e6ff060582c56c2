import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { WORK } from '../budget.ts'
import { closesAlone } from './extras.ts'
import { type Draft, type Reading, readSizes, sourceOf } from './reading.ts'
import type { Located, Source } from './source.ts'

/** What a schema says of objects. What is not part of this direction (`readOnly`, `writeOnly`) is not there. */
export function readObject(atom: Draft, schema: JsonObject, reading: Reading): void {
  const { document, budget, unread, isHidden } = reading
  const declared = schema['properties']
  const properties = new Map<string, Source>()
  const hidden = new Set<string>()
  if (isJsonObject(declared)) {
    for (const name of Object.keys(declared)) {
      budget.spend()
      const property: Located = { schema: declared[name] ?? true, document }
      if (isHidden(property)) hidden.add(name)
      else properties.set(name, [property])
    }
  } else if (declared !== undefined) unread.push(`properties ${JSON.stringify(declared)}`)
  readSizes(atom, schema, reading)
  if (properties.size > 0) atom.properties = properties
  const required = requiredOf(schema, unread)
  budget.spend(required.length * WORK.value)
  if (required.length > 0) atom.required = new Set(required.filter((name) => !hidden.has(name)))
  atom.others = closesAlone(schema) ? 'none' : sourceOf(schema['additionalProperties'], document)
}

function requiredOf(schema: JsonObject, unread: string[]): string[] {
  const required = schema['required']
  if (required === undefined) return []
  const names = Array.isArray(required) ? (required as readonly Json[]) : []
  if (!Array.isArray(required) || names.some((name) => typeof name !== 'string'))
    unread.push(`required ${JSON.stringify(required)}`)
  return names.filter((name) => typeof name === 'string')
}
