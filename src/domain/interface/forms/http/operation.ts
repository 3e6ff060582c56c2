import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import { addAll } from '../../add-all.ts'
import type { OpaquePart, Operation, Slot } from '../../model.ts'
import { keyOf } from '../../schema/source.ts'
import { hasOnly, unknownParts, unusedParts } from '../annotations.ts'
import { type Content, deref, entriesOf, firstIn, firstOf } from '../content.ts'
import { bodySlots, mediaOf } from './bodies.ts'
import { formalParameters, informalParameters, type Read } from './parameters.ts'
import { readPath } from './path.ts'
import { answerSlots, areStatuses, statusIn } from './responses.ts'

const KNOWN = new Set(
  `method verb path url endpoint route params pathParams path_params query queryParams query_params headers request
  requestBody request_body body response responseBody response_body responses errors status statusCode parameters success
  requestHeaders responseHeaders`.split(/\s+/),
)
/** Keys that mean the same. */
const SAME = [
  ['path', 'url', 'route', 'endpoint'],
  ['method', 'verb'],
  ['pathParams', 'path_params'],
  ['query', 'queryParams', 'query_params'],
  ['headers', 'requestHeaders'],
  ['requestBody', 'request_body', 'body'],
  ['response', 'responseBody', 'response_body', 'success'],
  ['status', 'statusCode'],
]
/** What a request is made of, where it is not the body itself. */
const REQUEST_PARTS = new Set([
  'body',
  'query',
  'params',
  'headers',
  'path',
  'pathParams',
  'queryParams',
  'cookies',
])

/** Where what is asked may stand beside `request`. */
const ALSO_ASKED = ['query', 'params', 'headers', 'body', 'requestBody']

/** One HTTP operation, formal, informal or both at once. */
export function readOperation(
  value: JsonObject,
  { method, path, prefix = '' }: { method: string; path: string; prefix?: string },
  content: Content,
): Operation {
  const { shape, parameters: names } = readPath(path)
  const slots: Slot[] = []
  const here = { at: '', sender: 'both' } as const
  const opaque = unknownParts(value, KNOWN, here)
  addAll(opaque, unusedParts(value, SAME, here))
  const take = (read: Read) => {
    addAll(slots, read.slots)
    addAll(opaque, read.opaque)
  }
  const request = keyOf(value, 'request')
  const isParted = hasOnly(request, REQUEST_PARTS)
  const asked: JsonObject = isParted ? request : {}
  const isAskedTwice = (key: string) =>
    value[key] !== undefined && (!isParted || asked[key] !== undefined || key === 'requestBody')
  if (request !== undefined && ALSO_ASKED.some(isAskedTwice))
    opaque.push({ at: 'request', sender: 'consumer', value: request })
  const both = (...keys: string[]) => firstIn(value, keys) ?? firstIn(asked, keys)

  const list = keyOf(value, 'parameters')
  if (Array.isArray(list)) take(formalParameters(list, names, content))
  else take(informalParameters(list, { place: 'params', names }, content))
  take(informalParameters(both('params'), { place: 'params', names }, content))
  take(
    informalParameters(
      firstOf(value, 'pathParams', 'path_params') ?? firstOf(asked, 'pathParams', 'path'),
      { place: 'path', names },
      content,
    ),
  )
  take(informalParameters(both('query', 'queryParams', 'query_params'), { place: 'query', names }, content))
  take(informalParameters(both('headers', 'requestHeaders'), { place: 'header', names }, content))
  take(informalParameters(firstOf(asked, 'cookies'), { place: 'cookie', names }, content))

  const body =
    firstOf(value, 'requestBody', 'request_body', 'body') ?? (isParted ? keyOf(asked, 'body') : request)
  if (body !== undefined && body !== null) addAll(slots, requestSlots(body, content, opaque))
  const { slots: answers, assumesStatus } = readAnswers(value, content, opaque)
  addAll(slots, answers)
  const declared = names.length === 0 ? NOTHING : new Set(slots.map(({ at }) => at))
  for (const [index, name] of names.entries())
    if (!declared.has(`path.${index}`)) {
      content.findings.add(
        'path-parameter-undeclared',
        `${prefix}path.${index}`,
        `nothing says what «${name}» is; declare it under params`,
      )
      slots.push({ at: `path.${index}`, sender: 'consumer', required: true, schema: null, isText: true })
    }
  return { key: `${method.toUpperCase()} ${shape}`, prefix, sender: 'consumer', slots, opaque, assumesStatus }
}

const NOTHING: ReadonlySet<string> = new Set()

function requestSlots(body: Json, content: Content, opaque: OpaquePart[]): Slot[] {
  const target = deref(body, content)
  const found = content.isFormal || mediaOf(target) !== undefined ? target : body
  if (found === undefined) {
    opaque.push({ at: 'request.body', sender: 'consumer', value: body })
    return []
  }
  const isFormal = mediaOf(found) !== undefined
  const required = isFormal ? isJsonObject(found) && found['required'] === true : true
  return bodySlots(found, { at: 'request.body', sender: 'consumer', required }, content)
}

function readAnswers(
  value: JsonObject,
  content: Content,
  opaque: OpaquePart[],
): { slots: Slot[]; assumesStatus: boolean } {
  const slots: Slot[] = []
  const many = firstOf(value, 'responses')
  const one = firstOf(value, 'response', 'responseBody', 'response_body', 'success')
  const areMany = areStatuses(many)
  const isOneByStatus = areStatuses(one)
  for (const answers of [areMany ? many : null, isOneByStatus ? one : null])
    for (const [status, answer] of entriesOf(answers)) addAll(slots, answerSlots(status, answer, content))
  if (many !== undefined && !areMany && !isEmpty(many))
    opaque.push({ at: 'responses', sender: 'provider', value: many })
  const stated = firstOf(value, 'status', 'statusCode')
  const status = statusIn(value) ?? (isJsonObject(one) ? statusIn(one) : undefined)
  if (stated !== undefined && status === undefined)
    opaque.push({ at: 'status', sender: 'provider', value: stated })
  const isOne = one !== undefined && one !== null && !isOneByStatus
  if (isOne || (status !== undefined && !areMany && !isOneByStatus)) {
    const headers = keyOf(value, 'responseHeaders')
    addAll(
      slots,
      answerSlots(
        status ?? '200',
        headers === undefined ? (one ?? null) : { body: one ?? null, headers },
        content,
      ),
    )
  }
  addAll(slots, errorSlots(keyOf(value, 'errors'), content, opaque))
  return { slots: onePerPlace(slots), assumesStatus: isOne && status === undefined }
}

const isEmpty = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 0

function onePerPlace(slots: Slot[]): Slot[] {
  const byPlace = new Map<string, Slot>()
  for (const slot of slots) byPlace.set(slot.at, slot)
  return byPlace.size === slots.length ? slots : [...byPlace.values()]
}

/** Errors by status, as rows, or by codes of their own. */
function errorSlots(errors: Json | undefined, content: Content, opaque: OpaquePart[]): Slot[] {
  if (errors === undefined || errors === null) return []
  if (areStatuses(errors))
    return entriesOf(errors).flatMap(([status, answer]) => answerSlots(status, answer, content))
  const rows = Array.isArray(errors)
    ? (errors as readonly Json[])
    : entriesOf(errors).map(([code, inner]) => (isJsonObject(inner) ? { code, ...inner } : code))
  const found = rows.map((row) => errorSlot(row, content))
  if (found.every((slot) => slot !== undefined)) return found.flat()
  opaque.push({ at: 'errors', sender: 'provider', value: errors })
  return []
}

function errorSlot(row: Json, content: Content): Slot[] | undefined {
  if (typeof row === 'number') return answerSlots(String(row), null, content)
  const text = typeof row === 'string' ? row : undefined
  const [, leading] = /^([45]\d\d)\b/.exec(text ?? '') ?? []
  if (leading !== undefined) return answerSlots(leading, null, content)
  if (text !== undefined)
    return /^[\w.-]+$/.test(text)
      ? [{ at: `response.error-${text}`, sender: 'provider', required: true, schema: null }]
      : undefined
  const status = isJsonObject(row) ? firstOf(row, 'status', 'statusCode', 'code') : undefined
  if (!isJsonObject(row) || (typeof status !== 'number' && typeof status !== 'string')) return undefined
  const body = firstOf(row, 'body', 'schema', 'response')
  if (/^[45]\d\d$/.test(String(status)))
    return answerSlots(String(status), body === undefined ? null : { body }, content)
  return [{ at: `response.error-${status}`, sender: 'provider', required: true, schema: null }]
}
