import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { MOST_WORK_OF_COMMAND } from '../interface/budget.ts'
import { entriesOf } from '../interface/forms/content.ts'
import { callOfOperation } from '../interface/forms/http/operation-call.ts'
import { readPath } from '../interface/forms/http/path.ts'
import type { Interface, Operation, Slot } from '../interface/model.ts'
import { readInterface } from '../interface/review.ts'
import { oneLine } from '../names/quoted.ts'
import { pascal } from '../types/names.ts'
import type { InForce } from '../types/types.ts'
import { type Exported, type Left, leftFor, SOURCE } from './item.ts'
import { Joined } from './joined.ts'
import { asThreeOne, writtenSchema } from './plain-schema.ts'
import { splitOpenApi } from './split-openapi.ts'

/** One document of OpenAPI 3.1 with all operations in force. */
export function toOpenApi(contracts: readonly InForce[], title: string): Exported {
  const left: Left[] = []
  const joined = new Joined()
  const paths = new Map<string, Map<string, Json>>()
  /** By what a path is without the names of its parameters: two of a shape would be one path. */
  const shapes = new Map<string, string>()
  for (const contract of contracts) {
    const read = readInterface(contract.type, contract.content, MOST_WORK_OF_COMMAND)
    if (read.form !== 'http') left.push(leftFor(contract, read))
    else if (typeof contract.content['openapi'] === 'string') takeDocument(contract)
    else takeOperations(contract, read)
  }
  return { document: document(), left }

  function takeDocument({ name, content }: InForce): void {
    const { [SOURCE]: _, ...own } = content
    const isOld = String(own['openapi']).startsWith('3.0')
    const whole = (isOld ? asThreeOne(own) : own) as JsonObject
    for (const make of splitOpenApi(whole)) {
      const { paths: taken, servers } = joined.take(make().content)
      for (const [path, item] of entriesOf(taken))
        for (const [method, operation] of entriesOf(item))
          put(
            name,
            { path, method },
            servers === undefined ? operation : { ...(operation as JsonObject), servers },
          )
    }
  }

  function takeOperations({ name }: InForce, read: Interface): void {
    for (const operation of read.operations) {
      const call = callOfOperation(read, operation)
      if (call === undefined) continue
      const { shape, parameters } = readPath(call.path)
      const known = shapes.get(shape)
      const path = known ?? named(shape, parameters)
      const { value, components } = writtenOperation(operation, { name, names: readPath(path).parameters })
      const own = joined.take({ value, components })['value'] as JsonObject
      put(name, { path, method: call.method.toLowerCase() }, { summary: oneLine(name), ...own })
    }
  }

  function put(name: string, { path, method }: { path: string; method: string }, operation: Json): void {
    const { shape } = readPath(path)
    const known = shapes.get(shape) ?? path
    shapes.set(shape, known)
    const item = paths.get(known) ?? new Map<string, Json>()
    if (known !== path) left.push({ name, why: `its path is ${known} but for the names of parameters` })
    else if (item.has(method))
      left.push({ name, why: `another contract has ${method.toUpperCase()} ${path} already` })
    else paths.set(path, item.set(method, operation))
  }

  /** Servers that are the same of all operations are said once. */
  function document(): JsonObject {
    const operations = [...paths.values()].flatMap((item) => [...item.values()]) as JsonObject[]
    const texts = new Set(operations.map(({ servers }) => canonicalText(servers ?? null)))
    const [only] = operations
    const shared = texts.size === 1 && Array.isArray(only?.['servers']) ? only['servers'] : undefined
    const shown = (operation: Json): Json => {
      if (shared === undefined || !isJsonObject(operation)) return operation
      const { servers: _, ...rest } = operation
      return rest
    }
    return {
      openapi: '3.1.0',
      info: { title: oneLine(title), version: '1' },
      ...(shared === undefined ? {} : { servers: shared }),
      paths: Object.fromEntries(
        Array.from(paths, ([path, item]) => [
          path,
          Object.fromEntries(Array.from(item, ([method, operation]) => [method, shown(operation)])),
        ]),
      ),
      ...joined.parts(),
    }
  }
}

/** The path as OpenAPI writes it, whatever framework it was written for. */
function named(shape: string, parameters: readonly string[]): string {
  let index = 0
  const path = shape.replaceAll('{}', () => `{${parameters[index++] || `p${index}`}}`)
  return path.startsWith('/') ? path : `/${path}`
}

/** What was said in words, or of one operation alone, as OpenAPI: from the places where its values cross. */
function writtenOperation(
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
