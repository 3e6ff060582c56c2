import { canonicalText } from '../../../protocol/json/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json/json.ts'
import { type Budget, WORK } from '../budget.ts'
import type { OpaquePart, Operation, Sender, Slot } from '../model.ts'
import { meaningOf } from '../schema/meaning-text.ts'
import { keyOf, type Located, refName } from '../schema/source.ts'
import { aroundAll, besideAll, opaqueOperation } from './annotations.ts'
import { type Content, deref, entriesOf, openDocument, type ReadDocument } from './content.ts'

/** An AsyncAPI document 2 or 3: each message of each channel by itself. The document is the provider's. */
export function readAsyncApi(value: JsonObject, budget: Budget): ReadDocument {
  const content = openDocument(value, { root: value, ignoresRefSiblings: true }, budget)
  const isThree = String(value['asyncapi']).startsWith('3')
  const operations = isThree ? readThree(value, content) : readTwo(value, content)
  return { operations: [...operations, ...ofServers(value, content), ...aroundAll(value, KNOWN)], content }
}

const KNOWN = new Set(['asyncapi', 'channels', 'operations', 'servers'])
/** What a server says of how it is spoken to; hosts differ between places where it runs, and say nothing. */
const OF_SERVER = ['protocol', 'protocolVersion', 'pathname', 'security', 'bindings']

function ofServers({ servers }: JsonObject, content: Content): Operation[] {
  const texts = entriesOf(servers).map(([, entry]) => {
    const server = deref(entry, content)
    const said = OF_SERVER.map((key) => (server === undefined ? entry : (keyOf(server, key) ?? null)))
    return meaningOf(said, content)
  })
  const value = [...new Set(texts)].sort()
  return besideAll('(servers)', value.length === 0 ? [] : [{ at: 'servers', sender: 'both', value }])
}

interface Where {
  readonly channel: string
  readonly sender: Sender
  readonly content: Content
  /** The channel and the operation that the message belongs to. */
  readonly around: readonly JsonObject[]
}

/** What a channel or an operation says beside its messages. */
const AROUND = ['servers', 'parameters', 'bindings', 'reply', 'security', 'traits']

/** In version 2 `subscribe` is what others may subscribe to: it is sent by the provider. */
function readTwo(value: JsonObject, content: Content): Operation[] {
  return entriesOf(value['channels']).flatMap(([channel, item]) => {
    const found = deref(item, content)
    return (['publish', 'subscribe'] as const).flatMap((verb) => {
      const operation = found === undefined ? undefined : deref(keyOf(found, verb), content)
      if (operation === undefined) return []
      const sender = verb === 'subscribe' ? 'provider' : 'consumer'
      const messages = messagesIn(operation['message'])
      if (messages.length === 0) return [opaqueOperation(`${verb} ${channel}`, operation)]
      return messages.map(([name, message]) =>
        messageOperation(name, message, { channel, sender, content, around: [found ?? {}, operation] }),
      )
    })
  })
}

/** In version 3 `send` is what the provider sends. */
function readThree(value: JsonObject, content: Content): Operation[] {
  const used = new Set<JsonObject>()
  const operations = entriesOf(value['operations']).flatMap(([name, entry]) => {
    const operation = deref(entry, content)
    const reference = operation === undefined ? undefined : operation['channel']
    const channel = deref(reference, content)
    if (operation === undefined || channel === undefined) return [opaqueOperation(name, entry)]
    used.add(channel)
    const sender = operation['action'] === 'receive' ? 'consumer' : 'provider'
    const listed = operation['messages']
    const messages = Array.isArray(listed)
      ? (listed as readonly Json[]).map((one): [string, Json] => [refName(one) ?? '', one])
      : entriesOf(channel['messages'])
    const address = typeof channel['address'] === 'string' ? channel['address'] : (refName(reference) ?? name)
    if (messages.length === 0) return [opaqueOperation(`${sender} ${address}`, operation)]
    return messages.map(([key, message]) =>
      messageOperation(key, message, { channel: address, sender, content, around: [channel, operation] }),
    )
  })
  // Who sends on a channel without operations is not said.
  for (const [name, entry] of entriesOf(value['channels'])) {
    const channel = deref(entry, content)
    if (channel === undefined || !used.has(channel))
      operations.push(opaqueOperation(`channel ${name}`, entry))
  }
  return operations
}

/** One message, or several of which each time one comes. */
function messagesIn(message: Json | undefined): readonly (readonly [string, Json])[] {
  if (message === undefined) return []
  const choices = isJsonObject(message) ? message['oneOf'] : undefined
  if (!Array.isArray(choices)) return [['', message]]
  return (choices as readonly Json[]).map((one, index) => [refName(one) ?? String(index), one] as const)
}

function messageOperation(
  name: string,
  message: Json,
  { channel, sender, content, around }: Where,
): Operation {
  content.budget.spend(WORK.documented)
  const found = deref(message, content)
  const own = found === undefined ? undefined : (found['name'] ?? found['messageId'])
  const title = name === '' ? '' : typeof own === 'string' ? own : name
  const key = title === '' ? `${channel}` : `${channel} ${title}`
  if (found === undefined) return opaqueOperation(key, message, sender)
  const slots: Slot[] = []
  for (const part of ['payload', 'headers'] as const) {
    const schema = keyOf(found, part)
    if (schema !== undefined)
      slots.push({
        at: `event.${part}`,
        sender,
        required: true,
        schema: schemaIn(schema, part === 'payload' ? found['schemaFormat'] : undefined, content),
      })
  }
  const opaque: OpaquePart[] = ['contentType', 'schemaFormat', 'correlationId', 'traits', 'bindings']
    .filter((part) => keyOf(found, part) !== undefined)
    .map((part) => ({ at: part, sender, value: textOf(keyOf(found, part), content) }))
  for (const [index, one] of around.entries())
    for (const key of AROUND)
      if (keyOf(one, key) !== undefined)
        opaque.push({
          at: `${index === 0 ? 'channel' : 'operation'}.${key}`,
          sender,
          value: textOf(keyOf(one, key), content),
        })
  return {
    key: `${sender === 'provider' ? 'receive' : 'send'} ${key}`,
    prefix: `${key}: `,
    sender,
    slots,
    opaque,
  }
}

/** What is not understood, with what it refers to. */
const textOf = (value: Json | undefined, content: Content): string => meaningOf(value ?? null, content)

/** Formats that are JSON Schema, or what AsyncAPI and OpenAPI make of it. */
const AS_SCHEMA = /schema\+(?:json|yaml)|vnd\.(?:aai\.asyncapi|oai\.openapi)/

/** Version 3 may wrap a schema together with its format; of any other format the text has to stay the same. */
function schemaIn(schema: Json, format: Json | undefined, { document }: Content): Located {
  const wrapped = isJsonObject(schema) ? schema['schemaFormat'] : undefined
  const isWrapped = typeof wrapped === 'string' && isJsonObject(schema)
  const inner = isWrapped ? (schema['schema'] ?? null) : schema
  const own = isWrapped ? wrapped : format
  const isSchema = typeof own !== 'string' || AS_SCHEMA.test(own)
  return { schema: isSchema ? inner : { $unreadable: canonicalText(inner) }, document }
}
