import { defined } from '../../protocol/collections/defined.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { MOST_WORK_OF_COMMAND } from '../interface/budget.ts'
import { deref, entriesOf } from '../interface/forms/content.ts'
import { readInterface } from '../interface/review.ts'
import { keyOf, refName } from '../interface/schema/source.ts'
import type { Item } from './item.ts'
import { cutterOf, pointerPiece } from './referred.ts'

/** One contract for each message that is sent or received: a small document with it alone and what it refers to. */
export function* splitAsyncApi(document: JsonObject): Iterable<() => Item> {
  const cut = cutterOf(document)
  const parts = String(document['asyncapi']).startsWith('3') ? partsOfThree(document) : partsOfTwo(document)
  for (const part of parts)
    yield () => {
      const { asyncapi, defaultContentType } = document
      const info = { title: 'A message', version: '1' }
      const content = cut({ ...defined({ asyncapi, info, defaultContentType }), ...part })
      const [operation] = readInterface('event_schema', content, MOST_WORK_OF_COMMAND).operations
      return { name: operation?.key ?? 'message', type: 'event_schema', content }
    }
}

function* partsOfTwo(document: JsonObject): Iterable<JsonObject> {
  for (const [channel, entry] of entriesOf(document['channels'])) {
    const found = deref(entry, { document: { root: document, ignoresRefSiblings: true } })
    if (found === undefined) continue
    const { publish: _, subscribe: __, servers: ___, $ref: ____, ...around } = found
    for (const verb of ['publish', 'subscribe'] as const) {
      const operation = found[verb]
      if (!isJsonObject(operation)) continue
      for (const message of messagesOf(operation['message']))
        yield { channels: { [channel]: { ...around, [verb]: { ...operation, message } } } }
    }
  }
}

/** Each of several stays one of several, because by that it has a name. */
function messagesOf(message: Json | undefined): readonly Json[] {
  const choices = isJsonObject(message) ? keyOf(message, 'oneOf') : undefined
  if (Array.isArray(choices)) return (choices as readonly Json[]).map((one) => ({ oneOf: [one] }))
  return message === undefined ? [] : [message]
}

function* partsOfThree(document: JsonObject): Iterable<JsonObject> {
  const around = { document: { root: document, ignoresRefSiblings: true } }
  for (const [name, entry] of entriesOf(document['operations'])) {
    const operation = deref(entry, around)
    const reference = operation === undefined ? undefined : keyOf(operation, 'channel')
    const channel = deref(reference, around)
    const id = refName(reference)
    if (operation === undefined || channel === undefined || id === undefined) continue
    const { servers: _, messages = {}, ...rest } = channel
    const listed = keyOf(operation, 'messages')
    const keys = Array.isArray(listed)
      ? (listed as readonly Json[]).flatMap((one) => refName(one) ?? [])
      : entriesOf(messages).map(([key]) => key)
    for (const key of keys) {
      const message = isJsonObject(messages) ? keyOf(messages, key) : undefined
      if (message === undefined) continue
      const at = `#/channels/${pointerPiece(id)}`
      yield {
        channels: { [id]: { ...rest, messages: { [key]: message } } },
        operations: {
          [name]: {
            ...operation,
            channel: { $ref: at },
            messages: [{ $ref: `${at}/messages/${pointerPiece(key)}` }],
          },
        },
      }
    }
  }
}
