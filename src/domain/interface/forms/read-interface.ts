import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { checkOperations, TooLarge } from '../budget.ts'
import { lint } from '../findings/lint.ts'
import type { Finding, Form, Interface, Operation } from '../model.ts'
import { keyOf } from '../schema/source.ts'
import { isSchema } from '../words/recognise-schema.ts'
import { aroundAll } from './annotations.ts'
import { readAsyncApi } from './asyncapi.ts'
import { type Content, entriesOf, firstOf, openContent } from './content.ts'
import { eventNameOf, isEnvelope, readEvent } from './event.ts'
import { readOpenApi } from './http/openapi.ts'
import { readOperation } from './http/operation.ts'
import { isMethod, readCall } from './http/path.ts'
import {
  hasModels,
  listOfFields,
  readFieldModel,
  readModels,
  readRecordModel,
  readSchemaModel,
} from './model.ts'
import { readMethod, readOpenRpc, readRpc } from './rpc.ts'
import { readTextForm, textFormOf } from './text-forms.ts'

interface Read {
  readonly form: Form
  readonly operations: readonly Operation[]
  readonly content: Content
}

/** What content is, by what it says of itself first, then by its keys, and last by the type of the contract. */
export function recognise(type: string, value: JsonObject): Interface {
  const text = textFormOf(value)
  if (text !== undefined) {
    const read = readTextForm(value, text)
    return typeof read === 'string' ? opaqueInterface(value, read) : read
  }
  const found = readBounded(type, value)
  if (typeof found === 'string') return opaqueInterface(value, found)
  const { form, operations, content } = found
  let findings: readonly Finding[] | undefined
  return {
    form,
    content: value,
    operations,
    /** Looked for when somebody asks: of what is compared, only the new side is. */
    get findings() {
      findings ??= lint({ form, operations, value }, content.findings)
      return findings
    },
  }
}

/** What was read, or why nothing was. */
function readBounded(type: string, value: JsonObject): Read | string {
  try {
    const found = readStandard(value) ?? readByKeys(type, value)
    if (found === undefined) return 'it is in no form that is known'
    return found
  } catch (error) {
    if (error instanceof TooLarge) return `it has ${error.message}`
    throw error
  }
}

function readStandard(value: JsonObject): Read | undefined {
  if (typeof value['openapi'] === 'string' && isVersion(value['openapi'], '3.'))
    return { form: 'http', ...readOpenApi(value) }
  if (typeof value['asyncapi'] === 'string' && /^[23]\./.test(value['asyncapi']))
    return { form: 'event', ...readAsyncApi(value) }
  if (typeof value['openrpc'] === 'string') return { form: 'rpc', ...readOpenRpc(value) }
  return undefined
}

const isVersion = (version: string, start: string): boolean => version.startsWith(start)

function readByKeys(type: string, value: JsonObject): Read | undefined {
  const content = openContent(value)
  const made = (form: Form, operations: readonly Operation[]): Read => ({ form, operations, content })
  const call = callOf(value)
  if (call !== undefined) return made('http', [readOperation(value, call, content)])
  const many = callsIn(value, content)
  if (many !== undefined) return made('http', many)
  const methods = keyOf(value, 'methods')
  if (isJsonObject(methods) || Array.isArray(methods))
    return made('rpc', [...readRpc(methods, content), ...aroundAll(value, new Set(['methods']))])
  const { method } = value
  if (typeof method === 'string' && (keyOf(value, 'params') ?? keyOf(value, 'result')) !== undefined)
    return made('rpc', [readMethod(method, value, { content, isOne: true })])
  const events = eventsIn(type, value, content)
  if (events !== undefined) return made('event', events)
  const model = modelIn(type, value, content)
  return model === undefined ? undefined : made('model', [model])
}

function callOf(value: JsonObject): { method: string; path: string } | undefined {
  const path = firstOf(value, 'path', 'url', 'route', 'endpoint')
  const method = firstOf(value, 'method', 'verb')
  if (isMethod(method) && typeof path === 'string') return { method, path }
  return readCall(firstOf(value, 'endpoint', 'route', 'operation', 'path'))
}

const LISTS_OF_CALLS = new Set(['endpoints', 'operations', 'routes'])

/** Several operations in one contract: a list of them, or a record by `GET /path`. */
function callsIn(value: JsonObject, content: Content): Operation[] | undefined {
  const list = firstOf(value, 'endpoints', 'operations', 'routes') ?? value
  const rows = Array.isArray(list)
    ? (list as readonly Json[]).map((row) => [isJsonObject(row) ? callOf(row) : undefined, row] as const)
    : entriesOf(list).map(
        ([key, row]) => [readCall(key) ?? (isJsonObject(row) ? callOf(row) : undefined), row] as const,
      )
  const operations: Operation[] = []
  for (const [call, row] of rows) {
    checkOperations(operations.length)
    if (call === undefined || !isJsonObject(row)) return undefined
    operations.push(
      readOperation(row, { ...call, prefix: `${call.method.toUpperCase()} ${call.path}: ` }, content),
    )
  }
  if (operations.length === 0) return undefined
  return list === value ? operations : [...operations, ...aroundAll(value, LISTS_OF_CALLS)]
}

function eventsIn(type: string, value: JsonObject, content: Content): Operation[] | undefined {
  const many = keyOf(value, 'events')
  if (isJsonObject(many) && Object.values(many).every(isJsonObject))
    return [
      ...entriesOf(many).map(([key, event]) => {
        const own = event as JsonObject
        const hasPayload = firstOf(own, 'payload', 'data', 'schema') !== undefined
        return readEvent(hasPayload ? own : { payload: own }, content, { key, prefix: `${key}: ` })
      }),
      ...aroundAll(value, new Set(['events'])),
    ]
  const isNamed = eventNameOf(value) !== undefined && firstOf(value, 'payload', 'data') !== undefined
  const isOther =
    ['event', 'topic', 'channel'].some((key) => typeof value[key] === 'string') &&
    firstOf(value, 'schema', 'fields') !== undefined
  const isOnly = type === 'event_schema' && firstOf(value, 'payload', 'data', 'schema') !== undefined
  return isNamed || isOther || isOnly || isEnvelope(value) ? [readEvent(value, content)] : undefined
}

function modelIn(type: string, value: JsonObject, content: Content): Operation | undefined {
  const schema = keyOf(value, 'schema')
  if (isSchema(value) || isJsonObject(schema)) return readSchemaModel(value, content)
  const list = listOfFields(value)
  if (isJsonObject(list) || Array.isArray(list)) return readFieldModel(value, list, content)
  if (hasModels(value)) return readModels(value, content)
  const isRecord = type === 'data_model' || type === 'config_spec' || type === 'event_schema'
  return isRecord && Object.keys(value).length > 0 ? readRecordModel(value, content) : undefined
}

export const opaqueInterface = (value: Json, why: string): Interface => ({
  form: 'opaque',
  content: value,
  why,
  operations: [
    { key: 'content', prefix: '', sender: 'both', slots: [], opaque: [{ at: '', sender: 'both', value }] },
  ],
  findings: [],
})
