import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import type { Slot } from '../../model.ts'
import { type Content, entriesOf, firstOf } from '../content.ts'
import type { Parts } from './parameters.ts'
import { addAnswer, areStatuses, statusIn } from './responses.ts'

export const ONE_ANSWER = ['response', 'responseBody', 'response_body', 'success']
export const STATUS = ['status', 'statusCode']

/** All that an operation answers. Returns whether the status of the good answer was not said, and 200 was taken. */
export function addAnswers({ slots, opaque }: Parts, value: JsonObject, content: Content): boolean {
  const { responses: many, responseHeaders: headers, errors } = value
  const one = firstOf(value, ONE_ANSWER)
  const areMany = areStatuses(many)
  const isOneByStatus = areStatuses(one)
  const answers: Slot[] = []
  if (areMany) addEach(answers, many, content)
  if (isOneByStatus) addEach(answers, one, content)
  if (many !== undefined && !areMany && !isEmpty(many))
    opaque.push({ at: 'responses', sender: 'provider', value: many })
  const stated = firstOf(value, STATUS)
  const status = statusIn(value) ?? (isJsonObject(one) ? statusIn(one) : undefined)
  if (stated !== undefined && status === undefined)
    opaque.push({ at: 'status', sender: 'provider', value: stated })
  const isOne = one !== undefined && one !== null && !isOneByStatus
  if (isOne || (status !== undefined && !areMany && !isOneByStatus)) {
    const answer = headers === undefined ? (one ?? null) : { body: one ?? null, headers }
    addAnswer(answers, status ?? '200', answer, content)
  }
  if (errors !== undefined && errors !== null && !addErrors(answers, errors, content))
    opaque.push({ at: 'errors', sender: 'provider', value: errors })
  addLast(slots, answers)
  return isOne && status === undefined
}

const isEmpty = (value: Json): boolean => isJsonObject(value) && Object.keys(value).length === 0

function addEach(slots: Slot[], answers: JsonObject, content: Content): void {
  for (const status of Object.keys(answers)) addAnswer(slots, status, answers[status] ?? null, content)
}

/** Of several that are told of one place, the last. */
function addLast(slots: Slot[], answers: readonly Slot[]): void {
  const byPlace = areFewAndOther(answers) ? undefined : new Map(answers.map((slot) => [slot.at, slot]))
  for (const slot of byPlace?.values() ?? answers) slots.push(slot)
}

/** As nearly always. */
function areFewAndOther(slots: readonly Slot[]): boolean {
  if (slots.length > 10) return false
  for (let index = 1; index < slots.length; index++)
    for (let before = 0; before < index; before++) if (slots[index]?.at === slots[before]?.at) return false
  return true
}

/** Errors by status, as rows, or by codes of their own. False, and none of them, where one is not understood. */
function addErrors(slots: Slot[], errors: Json, content: Content): boolean {
  if (areStatuses(errors)) {
    addEach(slots, errors, content)
    return true
  }
  const rows = Array.isArray(errors)
    ? (errors as readonly Json[])
    : entriesOf(errors).map(([code, inner]) => (isJsonObject(inner) ? { code, ...inner } : code))
  const found: Slot[] = []
  if (!rows.every((row) => addError(found, row, content))) return false
  for (const slot of found) slots.push(slot)
  return true
}

const CODES = [...STATUS, 'code']
const BODIES = ['body', 'schema', 'response']

function addError(slots: Slot[], row: Json, content: Content): boolean {
  const [, leading] = typeof row === 'string' ? (/^([45]\d\d)\b/.exec(row) ?? []) : []
  if (typeof row === 'number' || leading !== undefined) {
    addAnswer(slots, leading ?? String(row), null, content)
    return true
  }
  const code = isJsonObject(row) ? firstOf(row, CODES) : row
  if (typeof code !== 'number' && typeof code !== 'string') return false
  if (isJsonObject(row) && /^[45]\d\d$/.test(String(code))) {
    const body = firstOf(row, BODIES)
    addAnswer(slots, String(code), body === undefined ? null : { body }, content)
    return true
  }
  if (!isJsonObject(row) && !/^[\w.-]+$/.test(String(code))) return false
  slots.push({ at: `response.error-${code}`, sender: 'provider', required: true, schema: null })
  return true
}
