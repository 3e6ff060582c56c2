import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import type { OpaquePart, Operation, Sender, Slot } from '../model.ts'
import { keyOf, nameOfRef } from '../schema/source.ts'
import { type Content, deref, entriesOf, openDocument } from './content.ts'

/** An AsyncAPI document 2 or 3: each message of each channel by itself. The document is the provider's. */
export function readAsyncApi(value: JsonObject): { operations: Operation[]; content: Content } {
  const content = openDocument(value, { root: value, ignoresRefSiblings: true })
  const isThree = String(value['asyncapi']).startsWith('3')
  const operations = isThree ? readThree(value, content) : readTwo(value, content)
  return { operations, content }
}

interface Where {
  readonly channel: string
  readonly sender: Sender
  readonly content: Content
  /** The channel and the operation that the message belongs to. */
  readonly around: readonly JsonObject[]
}

/** What a channel or an operation says beside its messages. */
const AROUND = ['parameters', 'bindings', 'reply', 'security', 'traits']

/** In version 2 `subscribe` is what others may subscribe to: it is sent by the provider. */
function readTwo(value: JsonObject, content: Content): Operation[] {
  return entriesOf(value['channels']).flatMap(([channel, item]) => {
    const found = deref(item, content)
    return (['publish', 'subscribe'] as const).flatMap((verb) => {
      const operation = found === undefined ? undefined : deref(keyOf(found, verb), content)
      if (operation === undefined) return []
      const sender = verb === 'subscribe' ? 'provider' : 'consumer'
      return messagesIn(operation['message']).map(([name, message]) =>
        messageOperation(name, message, { channel, sender, content, around: [found ?? {}, operation] }),
      )
    })
  })
}

/** In version 3 `send` is what the provider sends. */
function readThree(value: JsonObject, content: Content): Operation[] {
  return entriesOf(value['operations']).flatMap(([name, entry]) => {
    const operation = deref(entry, content)
    const reference = operation === undefined ? undefined : keyOf(operation, 'channel')
    const channel = deref(reference, content)
    if (operation === undefined || channel === undefined) return [opaqueOperation(name, entry)]
    const sender = operation['action'] === 'receive' ? 'consumer' : 'provider'
    const listed = keyOf(operation, 'messages')
    const messages = Array.isArray(listed)
      ? (listed as readonly Json[]).map((one): [string, Json] => [refName(one) ?? '', one])
      : entriesOf(channel['messages'])
    const address = typeof channel['address'] === 'string' ? channel['address'] : (refName(reference) ?? name)
    return messages.map(([key, message]) =>
      messageOperation(key, message, { channel: address, sender, content, around: [channel, operation] }),
    )
  })
}

const opaqueOperation = (key: string, value: Json): Operation => ({
  key,
  prefix: `${key}: `,
  sender: 'both',
  slots: [],
  opaque: [{ at: 'operation', sender: 'both', value }],
})

const refName = (value: Json | undefined): string | undefined => {
  const ref = isJsonObject(value) ? keyOf(value, '$ref') : undefined
  return typeof ref === 'string' ? nameOfRef(ref) : undefined
}

/** One message, or several of which each time one comes. */
function messagesIn(message: Json | undefined): readonly (readonly [string, Json])[] {
  if (message === undefined) return []
  const choices = isJsonObject(message) ? keyOf(message, 'oneOf') : undefined
  if (!Array.isArray(choices)) return [['', message]]
  return (choices as readonly Json[]).map((one, index) => [refName(one) ?? String(index), one] as const)
}

function messageOperation(
  name: string,
  message: Json,
  { channel, sender, content, around }: Where,
): Operation {
  const found = deref(message, content)
  const own = found === undefined ? undefined : (keyOf(found, 'name') ?? keyOf(found, 'messageId'))
  const title = name === '' ? '' : typeof own === 'string' ? own : name
  const key = title === '' ? `${channel}` : `${channel} ${title}`
  if (found === undefined) return { ...opaqueOperation(key, message), sender }
  const slots: Slot[] = []
  for (const part of ['payload', 'headers'] as const) {
    const schema = keyOf(found, part)
    if (schema !== undefined)
      slots.push({ at: `event.${part}`, sender, required: true, schema: schemaIn(schema, content) })
  }
  const opaque: OpaquePart[] = ['contentType', 'schemaFormat', 'correlationId', 'traits', 'bindings']
    .filter((part) => keyOf(found, part) !== undefined)
    .map((part) => ({ at: part, sender, value: keyOf(found, part) ?? null }))
  for (const [index, one] of around.entries())
    for (const key of AROUND)
      if (keyOf(one, key) !== undefined)
        opaque.push({
          at: `${index === 0 ? 'channel' : 'operation'}.${key}`,
          sender,
          value: keyOf(one, key) ?? null,
        })
  return {
    key: `${sender === 'provider' ? 'receive' : 'send'} ${key}`,
    prefix: `${key}: `,
    sender,
    slots,
    opaque,
  }
}

/** Version 3 may wrap a schema together with its format. */
function schemaIn(schema: Json, { document }: Content): { schema: Json; document: Content['document'] } {
  const inner =
    isJsonObject(schema) && typeof schema['schemaFormat'] === 'string' ? keyOf(schema, 'schema') : undefined
  return { schema: inner ?? schema, document }
}
