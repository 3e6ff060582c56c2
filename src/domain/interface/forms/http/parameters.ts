import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import type { OpaquePart, Slot } from '../../model.ts'
import type { Located } from '../../schema/source.ts'
import { type Content, deref, entriesOf, locatedIn } from '../content.ts'
import { type Field, fieldsOf } from '../fields.ts'

/** What an operation consists of, while it is read. */
export interface Parts {
  readonly slots: Slot[]
  readonly opaque: OpaquePart[]
}

interface Around {
  /** Of the parameters in the path. */
  readonly names: readonly string[]
  readonly content: Content
}

/** Headers that HTTP itself speaks of; OpenAPI ignores them as parameters. */
const OF_HTTP = new Set(['accept', 'content-type', 'authorization'])

/** How a value is written as text. */
const STYLE = ['style', 'explode', 'allowReserved', 'allowEmptyValue']

/** Parameters as OpenAPI lists them: later ones of the same name and place count. */
export function addFormalParameters(
  { slots: into, opaque }: Parts,
  list: readonly Json[],
  { names, content }: Around,
): void {
  const slots = new Map<string, Slot>()
  for (const [index, entry] of list.entries()) {
    const parameter = deref(entry, content)
    const { name, in: place } = parameter ?? {}
    if (parameter === undefined || typeof name !== 'string' || typeof place !== 'string') {
      opaque.push({ at: `parameters[${index}]`, sender: 'consumer', value: entry })
      continue
    }
    if (place === 'header' && OF_HTTP.has(name.toLowerCase())) continue
    const at = placeOf(place, name, names)
    const required = place === 'path' || parameter['required'] === true
    slots.set(at, {
      at,
      sender: 'consumer',
      required,
      schema: schemaOf(parameter, at, content),
      isText: true,
    })
    if (STYLE.some((key) => (parameter[key] ?? null) !== null))
      opaque.push({
        at: `${at}.style`,
        sender: 'consumer',
        value: STYLE.map((key) => parameter[key] ?? null),
      })
    const { content: media } = parameter
    if (isJsonObject(media) && Object.keys(media).length > 0)
      opaque.push({ at: `${at}.content`, sender: 'consumer', value: Object.keys(media) })
  }
  for (const slot of slots.values()) into.push(slot)
}

function schemaOf(parameter: JsonObject, at: string, content: Content): Located | null {
  const schema = parameter['schema'] ?? schemaInside(parameter) ?? schemaAround(parameter, content)
  return schema === undefined ? null : locatedIn(content, schema, at)
}

function schemaInside({ content: media }: JsonObject): Json | undefined {
  const [[, entry] = []] = entriesOf(media)
  return isJsonObject(entry) ? entry['schema'] : undefined
}

/** People write the words of a schema beside the name. */
function schemaAround({ name: _, in: __, required: ___, ...rest }: JsonObject, { isFormal }: Content) {
  return isFormal || rest['type'] === undefined ? undefined : rest
}

/** Parameters of a path go by their position: what they are called is nobody's contract. */
export function placeOf(place: string, name: string, names: readonly string[]): string {
  if (place === 'path') {
    const index = names.indexOf(name)
    return `path.${index === -1 ? name : index}`
  }
  return `${place}.${place === 'header' ? name.toLowerCase() : name}`
}

/** Parameters as people list them; `params` are those of the path where it has such names, else of the query. */
export function addInformalParameters(
  { slots, opaque }: Parts,
  value: Json,
  { place, names, content }: Around & { readonly place: 'query' | 'header' | 'path' | 'cookie' | 'params' },
): void {
  const fields = fieldsOf(value, place === 'params' ? 'query' : place, content)
  if (fields === undefined) opaque.push({ at: place, sender: 'consumer', value })
  for (const field of fields ?? []) {
    const at = placeOf(whereOf(field, place, names), field.name, names)
    const isPath = at.startsWith('path.')
    slots.push({
      at,
      sender: 'consumer',
      required: isPath || field.isRequired,
      schema: field.schema === null ? null : { schema: field.schema, document: content.document },
      isText: true,
    })
  }
}

function whereOf({ name, place }: Field, listed: string, names: readonly string[]): string {
  if (place !== undefined) return place
  if (listed !== 'params') return listed
  return names.includes(name) ? 'path' : 'query'
}
