import { oncePer } from '../../../protocol/collections/once-per.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'

/** The document that a schema stands in: its references lead inside of it, and nowhere else. */
export interface SchemaDocument {
  readonly root: Json
  /** What stands beside a `$ref` counts for nothing, as in OpenAPI 3.0 and drafts up to 7. */
  readonly ignoresRefSiblings: boolean
}

export interface Located {
  readonly schema: Json
  readonly document: SchemaDocument
}

/** Schemas that hold all at once; none: anything goes. */
export type Source = readonly Located[]

/** JSON Schema as it is without a document around it. */
export const documentOf = (root: Json): SchemaDocument => ({
  root,
  ignoresRefSiblings: isJsonObject(root) && isOldDraft(root['$schema']),
})

const isOldDraft = (dialect: Json | undefined): boolean =>
  typeof dialect === 'string' && /draft-0[3-7]/.test(dialect)

export const located = (schema: Json): Located => ({ schema, document: documentOf(schema) })

/**
 * What stands under a name that somebody else wrote: own keys only, so that `__proto__` and `constructor` are names like
 * any other. Names that we write are none of those, and are simply looked up.
 */
export const keyOf = (object: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

const targetsIn = oncePer((_: SchemaDocument) => new Map<string, Json | undefined>())

/** What a reference inside the document leads to; undefined where it leads out of it or nowhere. Never fetches. */
export function targetOf(ref: string, document: SchemaDocument): Json | undefined {
  const known = targetsIn(document)
  const found = known.get(ref)
  if (found !== undefined || known.has(ref)) return found
  const target = lookUp(ref, document.root)
  known.set(ref, target)
  return target
}

function lookUp(ref: string, root: Json): Json | undefined {
  const [base = '', fragment = ''] = ref.split('#', 2)
  if (fragment !== '' && !fragment.startsWith('/')) return named(`#${fragment}`, root)
  const start = base === '' ? root : named(base, root)
  return fragment === '' ? start : pointedAt(fragment, start)
}

/** By the name that a schema gives itself. */
const named = (name: string, root: Json): Json | undefined =>
  isJsonObject(root) ? namedSchemas(root).get(name) : undefined

function pointedAt(pointer: string, start: Json | undefined): Json | undefined {
  let found = start
  for (const piece of pointer.slice(1).split('/')) {
    const key = pointerKey(piece)
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(key)]
    else if (isJsonObject(found)) found = keyOf(found, key)
    else return undefined
  }
  return found
}

/** What a piece of a pointer stands for. */
export function pointerKey(piece: string): string {
  if (!/[~%]/.test(piece)) return piece
  const text = piece.replaceAll('~1', '/').replaceAll('~0', '~')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The last word of a reference: what people call the schema. */
export const nameOfRef = (ref: string): string => pointerKey(ref.slice(ref.lastIndexOf('/') + 1))

/** The same of what an object refers to; undefined of what refers to nothing. */
export function refName(value: Json | undefined): string | undefined {
  const ref = isJsonObject(value) ? value['$ref'] : undefined
  return typeof ref === 'string' ? nameOfRef(ref) : undefined
}

/** Deeper nobody names anything. */
const DEEPEST = 128

/** What stands under these is data, whatever its keys are. */
const DATA = new Set(['enum', 'const', 'default', 'example', 'examples'])

/**
 * The schemas of a document by the names that they give themselves: `#name` by `$anchor` and `$dynamicAnchor`, and what
 * they say as `$id`. Of a name that two of them have nobody knows what it leads to, so that a change of either is seen.
 */
const namedSchemas = oncePer((root: JsonObject): ReadonlyMap<string, Json> => {
  const named = new Map<string, Json>()
  walkNames(root, 0, (name, schema) => {
    const other = named.get(name)
    if (other === undefined) named.set(name, schema)
    else if (other !== schema) named.set(name, { $unreadable: [other, schema] })
  })
  return named
})

function walkNames(value: Json, depth: number, add: (name: string, schema: JsonObject) => void): void {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return
  if (isJsonObject(value)) {
    const { $anchor: anchor, $dynamicAnchor: dynamic, $id: id } = value
    for (const name of [anchor, dynamic]) if (typeof name === 'string') add(`#${name}`, value)
    if (typeof id === 'string') add(id, value)
  }
  for (const [key, inner] of Object.entries(value))
    if (!DATA.has(key)) walkNames(inner ?? null, depth + 1, add)
}
