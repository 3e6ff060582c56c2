import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import type { Json, JsonObject } from '../../protocol/json/json.ts'
import type { Operation, Slot } from '../interface/model.ts'
import { pascal } from '../types/names.ts'
import { writtenSchema } from './plain-schema.ts'

/** What was said in words, or of one operation alone, as OpenAPI: from the places where its values cross. */
export function writtenOperation(
  { slots, key }: Operation,
  { name, names }: { name: string; names: readonly string[] },
): { value: JsonObject; components: JsonObject } {
  const schemas: Record<string, Json | undefined> = {}
  const schemaOf = (slot: Slot): Json => {
    const place = slot.at.replaceAll(/[^A-Za-z0-9.-]+/g, '_')
    const made = writtenSchema(slot, `${pascal(name) || pascal(key)}.${place}`)
    Object.assign(schemas, made.schemas)
    return made.schema
  }
  const parameters = slots.flatMap((slot) => parameterOf(slot, names, schemaOf))
  const requests = slots.filter(({ at }) => at.startsWith('request.body'))
  const requestBody = {
    ...(requests.some(({ required }) => required) ? { required: true } : {}),
    content: Object.fromEntries(requests.map((slot) => [mediaIn(slot.at), { schema: schemaOf(slot) }])),
  }
  const value = {
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requests.length === 0 ? {} : { requestBody }),
    responses: responsesOf(slots, schemaOf),
  }
  return { value, components: { schemas } }
}

type SchemaOf = (slot: Slot) => Json

function parameterOf(slot: Slot, names: readonly string[], schemaOf: SchemaOf): JsonObject[] {
  const [, place, field = ''] = /^(path|query|header|cookie)\.(.+)$/s.exec(slot.at) ?? []
  if (place === undefined) return []
  const name = place === 'path' ? (names[Number(field)] ?? field) : field
  return [{ name, in: place, ...(slot.required ? { required: true } : {}), schema: schemaOf(slot) }]
}

function responsesOf(slots: readonly Slot[], schemaOf: SchemaOf): JsonObject {
  const made = new Map<string, { content: [string, Json][]; headers: [string, Json][] }>()
  for (const slot of slots) {
    const [, status, part = ''] = /^response\.([1-5]\d\d|[1-5]xx|default)(?:\.(.+))?$/s.exec(slot.at) ?? []
    if (status === undefined) continue
    const answer = getOrAdd(made, status.replace('xx', 'XX'), () => ({ content: [], headers: [] }))
    if (part.startsWith('body')) answer.content.push([mediaIn(part), { schema: schemaOf(slot) }])
    else if (part.startsWith('header.'))
      answer.headers.push([
        part.slice('header.'.length),
        { ...(slot.required ? { required: true } : {}), schema: schemaOf(slot) },
      ])
  }
  if (made.size === 0) return { default: { description: '' } }
  return Object.fromEntries(
    Array.from(made, ([status, { content, headers }]) => [
      status,
      {
        description: '',
        ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
        ...(content.length === 0 ? {} : { content: Object.fromEntries(content) }),
      },
    ]),
  )
}

const mediaIn = (at: string): string => /\(([^)]+)\)$/.exec(at)?.[1] ?? 'application/json'
