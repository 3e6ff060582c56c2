import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json/json.ts'
import type { Slot } from '../../model.ts'
import { wordSet } from '../../word-set.ts'
import { readTypeWord } from '../../words/type-words.ts'
import { hasOnly } from '../annotations.ts'
import { type Content, deref, entriesOf, firstOf, locatedIn, textsOf } from '../content.ts'
import { addBody, mediaOf } from './bodies.ts'

const STATUS = /^(?:[1-5](?:\d\d|xx)|default)$/i
/** What an answer is made of, where it is not the body itself. */
const PARTS = wordSet('status statusCode code body schema content headers data type')

export const isStatus = (key: string): boolean => key.length <= LONGEST && STATUS.test(key)

const LONGEST = 'default'.length

/** Whether all keys are statuses: `{200: …, 404: …}`. */
export function areStatuses(value: Json | undefined): value is JsonObject {
  if (!isJsonObject(value)) return false
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every(isStatus)
}

/** That there is such an answer, and what it holds. */
export function addAnswer(slots: Slot[], status: string, answer: Json, content: Content): void {
  const name = status.toLowerCase()
  const at = `response.${name}`
  const found = answerMeant(answer, content)
  const beside = linksOf(found, content)
  slots.push({ at, sender: 'provider', required: true, schema: null, beside })
  if (found === undefined) {
    slots.push(unreadable(`${at}.body`, answer, content))
    return
  }
  const body = bodyIn(found, name, content)
  if (body !== undefined)
    addBody(slots, body, { at: `${at}.body`, sender: 'provider', required: true, content })
  const headers = isJsonObject(found) ? found['headers'] : undefined
  if (headers !== undefined && isStructured(found, content)) addHeaders(slots, headers, { at, content })
}

/** What a reference to an answer leads to; one to a schema stays, for it is the body. */
function answerMeant(answer: Json, content: Content): Json | undefined {
  if (!isJsonObject(answer) || typeof answer['$ref'] !== 'string') return answer
  const found = deref(answer, content)
  return content.isFormal || mediaOf(found) !== undefined ? found : answer
}

/** Links tell what can be called next. */
function linksOf(answer: Json | undefined, content: Content): Slot['beside'] {
  const links = isJsonObject(answer) && content.isFormal ? answer['links'] : undefined
  if (links === undefined) return undefined
  const named = entriesOf(links).map(([name, value]) => ({ at: `links.${name}`, value }))
  return textsOf(named, content)
}

const unreadable = (at: string, value: Json, { document }: Content): Slot => ({
  at,
  sender: 'provider',
  required: true,
  schema: { schema: { $unreadable: value }, document },
})

const STATUSES = ['status', 'statusCode']
const TELLING = ['body', 'schema', 'headers']
const BODIES = ['body', 'schema', 'data', 'content']

/** Whether an answer tells its parts; a body that has a field called `status` or `data` is a body. */
function isStructured(answer: Json, { isFormal }: Content): answer is JsonObject {
  if (isFormal) return isJsonObject(answer)
  if (!hasOnly(answer, PARTS)) return false
  const status = statusIn(answer)
  const isStatusOther = status === undefined && firstOf(answer, STATUSES) !== undefined
  const isBodyTold = firstOf(answer, TELLING) !== undefined
  return !isStatusOther && (isBodyTold || status !== undefined)
}

/** `{status: 201, …}` says a status, `{status: "string"}` a field. */
export function statusIn(answer: JsonObject): string | undefined {
  const status = firstOf(answer, STATUSES)
  if (typeof status !== 'number' && typeof status !== 'string') return undefined
  return /^[1-5]\d\d$/.test(String(status)) ? String(status) : undefined
}

/** The body as it is written; undefined where the answer has none. */
function bodyIn(answer: Json, status: string, content: Content): Json | undefined {
  if (answer === null || typeof answer === 'number' || typeof answer === 'boolean') return undefined
  if (typeof answer === 'string') return isProse(answer, status, content) ? undefined : answer
  if (mediaOf(answer) !== undefined) return answer
  if (content.isFormal) return undefined
  if (isStructured(answer, content)) return firstOf(answer, BODIES)
  return isJsonObject(answer) && Object.keys(answer).length === 0 ? undefined : onlyTold(answer)
}

/** A text that is no type tells of an error when it comes; of a good answer it is what nobody can read. */
const isProse = (answer: string, status: string, { informal }: Content): boolean =>
  !/^[23]/.test(status) && !informal.isType(answer)

/** An answer that is only described in prose has no body. */
function onlyTold(answer: Json): Json | undefined {
  if (!isJsonObject(answer)) return answer
  for (const key of Object.keys(answer)) {
    const text = answer[key]
    const isTold = key === 'description' || key === 'summary' || key === 'when'
    if (!isTold || typeof text !== 'string' || readTypeWord(text) !== undefined) return answer
  }
  return undefined
}

function addHeaders(
  slots: Slot[],
  headers: Json | undefined,
  { at, content }: { at: string; content: Content },
): void {
  for (const [name, header] of entriesOf(headers)) {
    const place = `${at}.header.${name.toLowerCase()}`
    const found = content.isFormal ? deref(header, content) : header
    const schema = isJsonObject(found) ? found['schema'] : undefined
    const isFormal = content.isFormal || schema !== undefined
    const described = isFormal ? schema : header
    slots.push({
      at: place,
      sender: 'provider',
      required: isFormal ? isJsonObject(found) && found['required'] === true : !name.endsWith('?'),
      schema: described === undefined ? null : locatedIn(content, described, place),
      isText: true,
    })
  }
}
