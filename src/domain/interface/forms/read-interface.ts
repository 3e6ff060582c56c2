import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { Budget, TooLarge, WORK } from '../budget.ts'
import { lint } from '../findings/lint.ts'
import type { Form, Interface, Operation } from '../model.ts'
import { isSchema } from '../words/recognise-schema.ts'
import { aroundAll, wholeOperation } from './annotations.ts'
import { readAsyncApi } from './asyncapi.ts'
import { type Content, entriesOf, firstOf, openContent } from './content.ts'
import { eventNameOf, isEnvelope, readEvent } from './event.ts'
import { readOpenApi } from './http/openapi.ts'
import { METHODS, PATHS, readOperation } from './http/operation.ts'
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
import { surveyOf } from './survey.ts'
import { type Read, readTextForm } from './text-forms.ts'

/** What content is, by what it says of itself first, then by its keys, and last by the type of the contract. */
export function recognise(type: string, value: JsonObject, most: number): Interface {
  const { why, names, tellsDirections } = surveyOf(value)
  if (why !== undefined) return { ...opaqueInterface(null, why), isUnread: true }
  const budget = new Budget(most)
  const read = readBounded(type, value, { budget, names })
  const work = budget.spent
  if (typeof read === 'string') return { ...opaqueInterface(value, read), work }
  return interfaceOf(read, { content: value, work, tellsDirections })
}

function interfaceOf(
  { form, operations, graphql, protobuf, content, ...read }: Read,
  seen: Pick<Interface, 'content' | 'work' | 'tellsDirections'>,
): Interface {
  let { findings } = read
  return {
    ...seen,
    form,
    operations,
    graphql,
    protobuf,
    /** Looked for when somebody asks: of what is compared, only the new side is. */
    get findings() {
      findings ??= content === undefined ? [] : lint(this, content.findings)
      return findings
    },
  }
}

/** What was read, or why nothing was. */
function readBounded(
  type: string,
  value: JsonObject,
  { budget, names }: { budget: Budget; names: number },
): Read | string {
  try {
    budget.spend(names * WORK.name)
    const text = readTextForm(value, budget)
    if (text !== undefined) return text
    return readStandard(value, budget) ?? readByKeys(type, value, budget) ?? 'it is in no form that is known'
  } catch (error) {
    if (error instanceof TooLarge) return `it has ${error.message}`
    throw error
  }
}

function readStandard(value: JsonObject, budget: Budget): Read | undefined {
  const { openapi, asyncapi, openrpc } = value
  if (typeof openapi === 'string' && openapi.startsWith('3.'))
    return { form: 'http', ...readOpenApi(value, budget) }
  if (typeof asyncapi === 'string' && /^[23]\./.test(asyncapi))
    return { form: 'event', ...readAsyncApi(value, budget) }
  if (typeof openrpc === 'string') return { form: 'rpc', ...readOpenRpc(value, budget) }
  return undefined
}

function readByKeys(type: string, value: JsonObject, budget: Budget): Read | undefined {
  const content = openContent(value, budget)
  const made = (form: Form, operations: readonly Operation[]): Read => ({ form, operations, content })
  const call = callOf(value)
  if (call !== undefined) return made('http', [readOperation(value, call, content)])
  const many = callsIn(value, content)
  if (many !== undefined) return made('http', many)
  const { method, methods } = value
  if (isJsonObject(methods) || Array.isArray(methods))
    return made('rpc', [...readRpc(methods, content), ...aroundAll(value, new Set(['methods']))])
  if (typeof method === 'string' && (value['params'] ?? value['result']) !== undefined)
    return made('rpc', [readMethod(method, value, { content, isOne: true })])
  const events = eventsIn(type, value, content)
  if (events !== undefined) return made('event', events)
  const model = modelIn(type, value, content)
  return model === undefined ? undefined : made('model', [model])
}

const CALLS = ['endpoint', 'route', 'operation', 'path']

/** Method and path of content that is about one call. */
export function callOf(value: JsonObject): { method: string; path: string } | undefined {
  const path = firstOf(value, PATHS)
  const method = firstOf(value, METHODS)
  if (isMethod(method) && typeof path === 'string') return { method, path }
  return readCall(firstOf(value, CALLS))
}

const LISTS_OF_CALLS = ['endpoints', 'operations', 'routes']
const AROUND_CALLS = new Set(LISTS_OF_CALLS)

/** Several operations in one contract: a list of them, or a record by `GET /path`. */
function callsIn(value: JsonObject, content: Content): Operation[] | undefined {
  const list = firstOf(value, LISTS_OF_CALLS) ?? value
  const rows: readonly (readonly [string, Json])[] = Array.isArray(list)
    ? (list as readonly Json[]).map((row) => ['', row])
    : entriesOf(list)
  const operations: Operation[] = []
  for (const [key, row] of rows) {
    const call = readCall(key) ?? (isJsonObject(row) ? callOf(row) : undefined)
    if (call === undefined || !isJsonObject(row)) return undefined
    operations.push(
      readOperation(row, { ...call, prefix: `${call.method.toUpperCase()} ${call.path}: ` }, content),
    )
  }
  if (operations.length === 0) return undefined
  return list === value ? operations : [...operations, ...aroundAll(value, AROUND_CALLS)]
}

const PAYLOADS = ['payload', 'data']
const CARRIED = [...PAYLOADS, 'schema']
const EVENT_NAMES = ['event', 'topic', 'channel']

function eventsIn(type: string, value: JsonObject, content: Content): Operation[] | undefined {
  const many = value['events']
  if (isJsonObject(many) && Object.values(many).every(isJsonObject))
    return [
      ...entriesOf(many).map(([key, event]) => {
        const own = event as JsonObject
        const hasPayload = firstOf(own, CARRIED) !== undefined
        return readEvent(hasPayload ? own : { payload: own }, content, { key, prefix: `${key}: ` })
      }),
      ...aroundAll(value, new Set(['events'])),
    ]
  const isNamed = eventNameOf(value) !== undefined && firstOf(value, PAYLOADS) !== undefined
  const isOther =
    EVENT_NAMES.some((key) => typeof value[key] === 'string') &&
    (value['schema'] ?? value['fields']) !== undefined
  const isOnly = type === 'event_schema' && firstOf(value, CARRIED) !== undefined
  return isNamed || isOther || isOnly || isEnvelope(value) ? [readEvent(value, content)] : undefined
}

function modelIn(type: string, value: JsonObject, content: Content): Operation | undefined {
  if (isSchema(value) || isJsonObject(value['schema'])) return readSchemaModel(value, content)
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
  work: 0,
  tellsDirections: false,
  operations: [wholeOperation('content', [], [{ at: '', sender: 'both', value }])],
  findings: [],
})
