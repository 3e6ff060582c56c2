import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { Budget } from '../budget.ts'
import type { Atom, AtomType } from './atom.ts'
import type { Located, SchemaDocument, Source } from './source.ts'

/** What is at hand while one schema is read. */
export interface Reading {
  readonly document: SchemaDocument
  readonly budget: Budget
  /** Whether a property is not part of what is sent in this direction. */
  readonly isHidden: (property: Located) => boolean
  /** What could not be read is added here. */
  readonly unread: string[]
}

/** Nothing said and `true` are anything, `false` is nothing. */
export function sourceOf(schema: Json | undefined, document: SchemaDocument): Source | 'none' {
  if (schema === false) return 'none'
  if (schema === undefined || schema === true) return []
  if (isJsonObject(schema) && Object.keys(schema).length === 0) return []
  return [{ schema, document }]
}

/** An atom that is being made. */
export type Draft = { -readonly [Key in keyof Atom]: Atom[Key] }

/** How many characters, elements or properties there may be: keywords that begin with min and max. */
export function readSizes(atom: Draft, schema: JsonObject, reading: Reading): void {
  const { least, most } = SIZES[atom.type] ?? {}
  if (least !== undefined) atom.fewest = Math.max(0, numberAt(schema, least, reading) ?? 0)
  if (most !== undefined) atom.most = numberAt(schema, most, reading) ?? Number.POSITIVE_INFINITY
}

const SIZES: Partial<Record<AtomType, { readonly least: string; readonly most: string }>> = {
  string: { least: 'minLength', most: 'maxLength' },
  array: { least: 'minItems', most: 'maxItems' },
  object: { least: 'minProperties', most: 'maxProperties' },
}

/** Undefined where there is none; one that is no number is told. */
export function numberAt(schema: JsonObject, key: string, { unread }: Reading): number | undefined {
  const value = schema[key]
  if (value === undefined || typeof value === 'number') return value
  unread.push(`${key} ${JSON.stringify(value)}`)
  return undefined
}
