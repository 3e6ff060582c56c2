import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import { oncePer } from '../../../protocol/collections/once-per.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { type SchemaDocument, targetOf } from './source.ts'

const SCHEMAS = '#/components/schemas/'

const refTo = (name: string): string => SCHEMAS + name.replaceAll('~', '~0').replaceAll('/', '~1')

/**
 * References to the schemas that may arrive in place of one that has a `discriminator` and no list of its parts: those
 * in its mapping, and those of the document that consist of it.
 */
export function taggedParts(schema: JsonObject, document: SchemaDocument): readonly string[] {
  const { discriminator, oneOf, anyOf } = schema
  if (!isJsonObject(discriminator) || oneOf !== undefined || anyOf !== undefined) return []
  const mapping = isJsonObject(discriminator['mapping']) ? Object.values(discriminator['mapping']) : []
  const mapped = mapping.filter((one) => typeof one === 'string')
  const refs = mapped.map((one) => (/[/#.]/.test(one) ? one : refTo(one)))
  return [...new Set([...refs, ...(extendersIn(document).get(schema) ?? [])])].sort()
}

/** By a schema, references to those that consist of it. */
const extendersIn = oncePer((document: SchemaDocument): ReadonlyMap<Json, readonly string[]> => {
  const extenders = new Map<Json, string[]>()
  const schemas = targetOf(SCHEMAS.slice(0, -1), document)
  for (const [name, schema] of Object.entries(isJsonObject(schemas) ? schemas : {})) {
    const parts = isJsonObject(schema) && Array.isArray(schema['allOf']) ? schema['allOf'] : []
    for (const part of parts as readonly Json[]) {
      const ref = isJsonObject(part) ? part['$ref'] : undefined
      const base = typeof ref === 'string' ? targetOf(ref, document) : undefined
      if (base !== undefined) getOrAdd(extenders, base, () => []).push(refTo(name))
    }
  }
  return extenders
})
