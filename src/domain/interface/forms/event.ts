import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Operation, Slot } from '../model.ts'
import { keyOf } from '../schema/source.ts'
import { isText, unknownParts } from './annotations.ts'
import { type Content, firstOf, locatedIn } from './content.ts'

const KNOWN = new Set(
  'event topic channel name payload data schema headers type specversion source fields key'.split(' '),
)
/** Attributes of a CloudEvents envelope. */
const ENVELOPE = new Set(
  'specversion type source id time datacontenttype dataschema subject data data_base64'.split(' '),
)

export const eventNameOf = (value: JsonObject): string | undefined => {
  const name = firstOf(value, 'event', 'topic', 'channel', 'eventType', 'event_type', 'name')
  return isText(name) ? name : undefined
}

/** Whether an object is an envelope of CloudEvents around what is meant. */
export const isEnvelope = (value: Json | undefined): value is JsonObject =>
  isJsonObject(value) &&
  keyOf(value, 'specversion') !== undefined &&
  Object.keys(value).every((key) => ENVELOPE.has(key) || /^[a-z0-9]{1,20}$/.test(key))

/** One event: what it is called, and what it carries. */
export function readEvent(value: JsonObject, content: Content, { key = '', prefix = '' } = {}): Operation {
  const payload = isEnvelope(value) ? value : firstOf(value, 'payload', 'data', 'schema', 'fields')
  const { data, type } = seenThrough(payload)
  const slots: Slot[] = []
  if (data !== undefined && data !== null)
    slots.push({
      at: 'event.payload',
      sender: 'provider',
      required: true,
      schema: locatedIn(content, data, `${prefix}event.payload`),
    })
  const headers = keyOf(value, 'headers')
  if (headers !== undefined)
    slots.push({
      at: 'event.headers',
      sender: 'provider',
      required: true,
      schema: locatedIn(content, headers, `${prefix}event.headers`),
    })
  const names = [key, eventNameOf(value), type].filter((name) => name !== undefined && name !== '')
  return {
    key: names.length === 0 ? 'event' : [...new Set(names)].join(' '),
    prefix,
    sender: 'provider',
    slots,
    opaque: unknownParts(value, isEnvelope(value) ? ENVELOPE : KNOWN, { at: '', sender: 'provider' }),
  }
}

/** What is inside of an envelope, and what kind of event it says it is; written as a record or as a schema. */
function seenThrough(payload: Json | undefined): { data: Json | undefined; type: string | undefined } {
  if (isEnvelope(payload)) return { data: keyOf(payload, 'data'), type: textIn(keyOf(payload, 'type')) }
  const properties = isJsonObject(payload) ? keyOf(payload, 'properties') : undefined
  if (isEnvelope(properties) && keyOf(properties, 'data') !== undefined)
    return { data: keyOf(properties, 'data'), type: textIn(keyOf(properties, 'type')) }
  return { data: payload, type: undefined }
}

function textIn(type: Json | undefined): string | undefined {
  const only = isJsonObject(type)
    ? (keyOf(type, 'const') ?? (Array.isArray(type['enum']) ? type['enum'][0] : undefined))
    : type
  return isText(only) && only !== 'string' ? only : undefined
}
