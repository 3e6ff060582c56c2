import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { FIELD_MARKS } from '../words/field-description.ts'
import { isSchema } from '../words/recognise-schema.ts'
import type { Content } from './content.ts'

export interface Field {
  readonly name: string
  /** Null: named, but not described. */
  readonly schema: Json | null
  readonly isRequired: boolean
  /** Where a row says that it goes: `query`, `header`. */
  readonly place?: string
}

/** Fields however they are listed: a record, a schema of an object, rows, or names alone. */
export function fieldsOf(
  value: Json | undefined,
  at: string,
  content: Content,
): readonly Field[] | undefined {
  if (Array.isArray(value)) return rowsOf(value, at, content)
  if (!isJsonObject(value)) return undefined
  const isObjectSchema = isSchema(value) && isJsonObject(value['properties'])
  const schema = isObjectSchema ? content.informal.schema(value, at) : content.informal.record(value, at)
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  const required = isJsonObject(schema) ? schema['required'] : undefined
  if (!isJsonObject(properties)) return undefined
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    schema: inner ?? null,
    isRequired: Array.isArray(required) && required.includes(name),
  }))
}

function rowsOf(rows: readonly Json[], at: string, content: Content): readonly Field[] | undefined {
  const fields = rows.map((row) => rowOf(row, at, content))
  return fields.every((field) => field !== undefined) ? fields : undefined
}

function rowOf(row: Json, at: string, content: Content): Field | undefined {
  if (typeof row === 'string') {
    const isOptional = row.endsWith('?')
    return { name: isOptional ? row.slice(0, -1) : row, schema: null, isRequired: !isOptional }
  }
  const name = isJsonObject(row) ? (row['name'] ?? row['key'] ?? row['field']) : undefined
  if (!isJsonObject(row) || typeof name !== 'string') return undefined
  const { name: _, key: __, field: ___, in: place, schema, ...rest } = row
  const described = schema ?? (rest['type'] === undefined ? undefined : describedPart(rest))
  const marked = rest['required'] !== undefined || rest['optional'] !== undefined
  const isRequired = marked
    ? rest['required'] === true || (rest['required'] === undefined && rest['optional'] === false)
    : undefined
  const found = described === undefined ? null : content.informal.typeOf(described, `${at}.${name}`, 0)
  return {
    name: name.replace(/\?$/, ''),
    schema: found === null ? null : found.schema,
    isRequired: isRequired ?? !(name.endsWith('?') || (found?.isOptional ?? false)),
    ...(typeof place === 'string' ? { place } : {}),
  }
}

/** What a row says beside what is known is kept as a note: it may be a condition. */
function describedPart(row: JsonObject): JsonObject {
  const unknown = Object.keys(row).filter((key) => !FIELD_MARKS.has(key))
  if (unknown.length === 0) return row
  const known = Object.fromEntries(Object.entries(row).filter(([key]) => FIELD_MARKS.has(key)))
  const note = canonicalText(unknown.sort().map((key) => [key, row[key] ?? null]))
  return { ...known, type: `${String(row['type'])} - ${note}` }
}

/** The same as one object schema. */
export function objectOf(fields: readonly Field[]): Json {
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema ?? true])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  }
}
