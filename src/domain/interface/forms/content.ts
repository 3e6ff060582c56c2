import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { Budget } from '../budget.ts'
import { Findings } from '../findings/found.ts'
import type { OpaquePart, Operation } from '../model.ts'
import { meaningOf } from '../schema/meaning-text.ts'
import { documentOf, type Located, type SchemaDocument, targetOf } from '../schema/source.ts'
import { type InformalReader, informalReader } from '../words/informal.ts'

/** Content while it is read: what it may refer to, and what was found in it. */
export interface Content {
  readonly value: JsonObject
  readonly document: SchemaDocument
  readonly informal: InformalReader
  readonly findings: Findings
  /** A document of a standard: everything in it is what the standard says, nothing is a type word. */
  readonly isFormal: boolean
  /** What it may take to read it. */
  readonly budget: Budget
}

/** A document of a standard, taken apart. */
export interface ReadDocument {
  readonly operations: Operation[]
  readonly content: Content
}

/** Where people put types that others refer to by name. */
const TABLES = ['types', 'models', 'definitions', 'schemas', '$defs']

export function openContent(value: JsonObject, budget: Budget): Content {
  const opened: Content = { ...openDocument(value, documentOf(value), budget), isFormal: false }
  const tables = TABLES.map((key) => value[key]).filter(isJsonObject)
  if (tables.length === 0) return opened
  const types: Record<string, Json> = {}
  const root: JsonObject = { ...value, $types: types }
  const names = new Set(tables.flatMap((table) => Object.keys(table)))
  const informal = informalReader(opened.findings, budget, (name) =>
    names.has(name) ? { $ref: `#/$types/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` } : undefined,
  )
  for (const table of tables)
    for (const [name, type] of Object.entries(table))
      Object.defineProperty(types, name, { value: informal.schema(type ?? null, name), enumerable: true })
  return { ...opened, document: { ...opened.document, root }, informal }
}

export const openDocument = (value: JsonObject, document: SchemaDocument, budget: Budget): Content => {
  const findings = new Findings()
  const informal = informalReader(findings, budget)
  return { value, document, informal, findings, isFormal: true, budget }
}

/** A schema as it stands in the document, or what its words mean. */
export function locatedIn({ document, informal, isFormal }: Content, value: Json, at: string): Located {
  return { schema: isFormal ? value : informal.schema(value, at), document }
}

/** What is not understood, as text that is equal for what means the same. */
export const textsOf = (
  parts: readonly Pick<OpaquePart, 'at' | 'value'>[],
  content: Content,
): Readonly<Record<string, string>> =>
  Object.fromEntries(parts.map(({ at, value }) => [at, meaningOf(value, content)]))

const MOST_HOPS = 16

/** The object that is meant, after its references; undefined where they lead nowhere. */
export function deref(
  value: Json | undefined,
  { document }: Pick<Content, 'document'>,
): JsonObject | undefined {
  let found = value
  for (let hops = 0; hops < MOST_HOPS; hops++) {
    if (!isJsonObject(found)) return undefined
    const ref = found['$ref']
    if (typeof ref !== 'string') return found
    found = targetOf(ref, document)
  }
  return undefined
}

/** The first of several keys that is there. */
export function firstOf(value: JsonObject, keys: readonly string[]): Json | undefined {
  for (const key of keys) {
    const found = value[key]
    if (found !== undefined) return found
  }
  return undefined
}

export const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

export function entriesOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  if (!isJsonObject(value)) return []
  const entries = Object.entries(value)
  for (const entry of entries) entry[1] ??= null
  return entries as [string, Json][]
}
