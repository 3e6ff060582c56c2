import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { WORK } from '../budget.ts'
import type { OpaquePart, Operation, Slot } from '../model.ts'
import { wordSet } from '../word-set.ts'
import { isText, unreadBeside } from './annotations.ts'
import { type Content, firstOf, locatedIn } from './content.ts'

const NAMES = ['event', 'topic', 'channel', 'eventType', 'event_type']
const CONTENTS = ['payload', 'data', 'schema', 'fields']
const unreadIn = unreadBeside([CONTENTS, ...[...NAMES, 'name', 'headers'].map((key) => [key])])
/** Attributes of a CloudEvents envelope. */
const ENVELOPE = wordSet(
  'specversion type source id time datacontenttype dataschema subject data data_base64',
)

/** All that it is called by: an event on another topic is another event. */
export function eventNameOf(value: JsonObject): string | undefined {
  const names = NAMES.map((key) => value[key]).filter(isText)
  const { name } = value
  return names.length > 0 ? names.join(' ') : isText(name) ? name : undefined
}

/** Whether an object is an envelope of CloudEvents around what is meant. */
export const isEnvelope = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) &&
  value['specversion'] !== undefined &&
  Object.keys(value).every((key) => ENVELOPE.has(key) || /^[a-z0-9]{1,20}$/.test(key))

/** One event: what it is called, and what it carries. */
export function readEvent(value: JsonObject, content: Content, { key = '', prefix = '' } = {}): Operation {
  content.budget.spend(WORK.operation)
  const payload = isEnvelope(value) ? value : firstOf(value, CONTENTS)
  const { data, type, envelope } = seenThrough(payload)
  const carried = Object.entries({ payload: data ?? undefined, headers: value['headers'] })
  const slots = carried.flatMap(([part, schema]): Slot[] => {
    const at = `event.${part}`
    if (schema === undefined) return []
    return [{ at, sender: 'provider', required: true, schema: locatedIn(content, schema, `${prefix}${at}`) }]
  })
  const names = [key, eventNameOf(value), type].filter((name) => name !== undefined && name !== '')
  return {
    key: names.length === 0 ? 'event' : [...new Set(names)].join(' '),
    prefix,
    sender: 'provider',
    slots,
    opaque: [...opaqueOf(value), ...envelope],
  }
}

function opaqueOf(value: JsonObject): OpaquePart[] {
  if (isEnvelope(value)) return []
  return unreadIn(value, { at: '', sender: 'provider' })
}

interface Seen {
  readonly data: Json | undefined
  readonly type: string | undefined
  readonly envelope: readonly OpaquePart[]
}

/** What is inside of an envelope, and what kind of event it says it is; written as a record or as a schema. */
function seenThrough(payload: Json | undefined): Seen {
  const properties = isJsonObject(payload) ? payload['properties'] : undefined
  const found = [payload, properties].find((one) => isEnvelope(one) && one['data'] !== undefined)
  if (!isEnvelope(found)) return { data: payload, type: undefined, envelope: [] }
  const { data, type, ...rest } = found
  const kind = textIn(type)
  const told = kind === undefined && type !== undefined ? { ...rest, type } : rest
  return { data, type: kind, envelope: [{ at: 'event.envelope', sender: 'provider', value: told }] }
}

function textIn(type: Json | undefined): string | undefined {
  const only = isJsonObject(type)
    ? (type['const'] ?? (Array.isArray(type['enum']) ? type['enum'][0] : undefined))
    : type
  return isText(only) && only !== 'string' ? only : undefined
}
