import { isJsonObject, type Json } from '../../../../protocol/json/json.ts'
import type { OpaquePart, Slot } from '../../model.ts'
import { keyOf, type Located } from '../../schema/source.ts'
import { type Content, deref, entriesOf, locatedIn } from '../content.ts'
import { type Field, fieldsOf } from '../fields.ts'

export interface Read {
  readonly slots: readonly Slot[]
  readonly opaque: readonly OpaquePart[]
}

const NONE: Read = { slots: [], opaque: [] }

/** Headers that HTTP itself speaks of; OpenAPI ignores them as parameters. */
const OF_HTTP = new Set(['accept', 'content-type', 'authorization'])

/** How a value is written as text. */
const STYLE = ['style', 'explode', 'allowReserved', 'allowEmptyValue']

/** Parameters as OpenAPI lists them: later ones of the same name and place count. */
export function formalParameters(list: readonly Json[], names: readonly string[], content: Content): Read {
  const slots = new Map<string, Slot>()
  const opaque: OpaquePart[] = []
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
    const style = STYLE.map((key) => parameter[key] ?? null)
    if (style.some((value) => value !== null))
      opaque.push({ at: `${at}.style`, sender: 'consumer', value: style })
    const media = entriesOf(parameter['content']).map(([type]) => type)
    if (media.length > 0) opaque.push({ at: `${at}.content`, sender: 'consumer', value: media })
  }
  return { slots: [...slots.values()], opaque }
}

function schemaOf(
  parameter: Readonly<Record<string, Json | undefined>>,
  at: string,
  content: Content,
): Located | null {
  const [media] = entriesOf(parameter['content'])
  const inner = media !== undefined && isJsonObject(media[1]) ? keyOf(media[1], 'schema') : undefined
  const { name: _, in: __, required: ___, ...rest } = parameter
  const schema =
    parameter['schema'] ?? inner ?? (content.isFormal || rest['type'] === undefined ? undefined : rest)
  return schema === undefined ? null : locatedIn(content, schema, at)
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
export function informalParameters(
  value: Json | undefined,
  { place, names }: { place: 'query' | 'header' | 'path' | 'cookie' | 'params'; names: readonly string[] },
  content: Content,
): Read {
  if (value === undefined) return NONE
  const fields = fieldsOf(value, place === 'params' ? 'query' : place, content)
  if (fields === undefined) return { slots: [], opaque: [{ at: place, sender: 'consumer', value }] }
  const slots = fields.map((field): Slot => {
    const at = placeOf(whereOf(field, place, names), field.name, names)
    const isPath = at.startsWith('path.')
    return {
      at,
      sender: 'consumer',
      required: isPath || field.isRequired,
      schema: field.schema === null ? null : { schema: field.schema, document: content.document },
      isText: true,
    }
  })
  return { slots, opaque: [] }
}

function whereOf({ name, place }: Field, listed: string, names: readonly string[]): string {
  if (place !== undefined) return place
  if (listed !== 'params') return listed
  return names.includes(name) ? 'path' : 'query'
}
