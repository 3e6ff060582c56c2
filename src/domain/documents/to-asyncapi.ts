import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { MOST_WORK_OF_COMMAND } from '../interface/budget.ts'
import { entriesOf } from '../interface/forms/content.ts'
import type { Interface, Operation } from '../interface/model.ts'
import { readInterface } from '../interface/review.ts'
import { oneLine } from '../names/quoted.ts'
import { Names } from '../types/names.ts'
import type { InForce } from '../types/types.ts'
import { type Exported, type Left, leftFor, SOURCE } from './item.ts'
import { Joined } from './joined.ts'
import { writtenSchema } from './plain-schema.ts'
import { splitAsyncApi } from './split-asyncapi.ts'

interface Channel {
  readonly id: string
  readonly rest: JsonObject
  readonly messages: Map<string, Json>
}

interface Sent {
  readonly address: Json
  readonly id: string
  readonly rest: JsonObject
  readonly message: readonly [string, Json]
  readonly operation: readonly [string, JsonObject]
}

/** One document of AsyncAPI 3.0 with all events in force. */
export function toAsyncApi(contracts: readonly InForce[], title: string): Exported {
  const left: Left[] = []
  const joined = new Joined()
  const names = new Names()
  const channels = new Map<string, Channel>()
  const operations = new Map<string, Json>()
  for (const contract of contracts) {
    const read = readInterface(contract.type, contract.content, MOST_WORK_OF_COMMAND)
    if (read.form !== 'event') left.push(leftFor(contract, read))
    else if (String(contract.content['asyncapi'] ?? '').startsWith('3')) takeDocument(contract)
    else takeEvents(contract, read)
  }
  return { document: document(), left }

  function takeDocument({ name, content }: InForce): void {
    const { [SOURCE]: _, ...own } = content
    for (const make of splitAsyncApi(own)) {
      const taken = joined.take(make().content)
      const [found] = entriesOf(taken['channels'])
      const [operation] = entriesOf(taken['operations'])
      if (found === undefined || operation === undefined) continue
      const [id, { messages, ...rest }] = found as [string, JsonObject]
      const [message] = entriesOf(messages)
      const address = rest['address'] ?? null
      if (message !== undefined)
        put(name, { address, id, rest, message, operation: operation as [string, JsonObject] })
    }
  }

  /** Version 2 and events in words, from what they carry. */
  function takeEvents({ name, content }: InForce, read: Interface): void {
    for (const operation of read.operations) {
      if (operation.slots.length === 0) continue
      const address = addressOf(content, operation)
      const { value, components } = written(operation, names.take(name, 'Event'))
      const message = joined.take({ value, components })['value'] as JsonObject
      put(name, {
        address,
        id: address,
        rest: { address },
        message: [titleOf(operation, address), message],
        operation: [oneLine(name), { action: operation.sender === 'consumer' ? 'receive' : 'send' }],
      })
    }
  }

  function put(name: string, { address, id, rest, message, operation }: Sent): void {
    const key = JSON.stringify(address ?? id)
    const channel = channels.get(key) ?? { id: safeKey(id), rest, messages: new Map<string, Json>() }
    const messageKey = safeKey(message[0])
    if (channel.messages.has(messageKey)) {
      left.push({ name, why: `another contract has «${messageKey}» on «${channel.id}» already` })
      return
    }
    channels.set(key, channel)
    channel.messages.set(messageKey, message[1])
    const at = `#/channels/${channel.id}`
    let own = safeKey(operation[0])
    for (let number = 2; operations.has(own); number++) own = `${safeKey(operation[0])}_${number}`
    operations.set(own, {
      ...operation[1],
      channel: { $ref: at },
      messages: [{ $ref: `${at}/messages/${messageKey}` }],
    })
  }

  function document(): JsonObject {
    const all = Array.from(channels.values(), ({ id, rest, messages }): [string, JsonObject] => [
      id,
      { ...rest, messages: Object.fromEntries(messages) },
    ])
    return {
      asyncapi: '3.0.0',
      info: { title: oneLine(title), version: '1' },
      channels: Object.fromEntries(all),
      operations: Object.fromEntries(operations),
      ...joined.parts(),
    }
  }
}

/** Keys that the standard takes everywhere. */
const safeKey = (text: string): string => text.replaceAll(/[^A-Za-z0-9_.-]+/g, '_') || '_'

/** Where an event is sent: the channel of version 2, or how people call that. */
function addressOf(content: JsonObject, { key, prefix }: Operation): string {
  if (isJsonObject(content['channels'])) {
    const [found] = Object.keys(content['channels']).filter((channel) => prefix.startsWith(channel))
    if (found !== undefined) return found
  }
  for (const word of ['channel', 'topic', 'event'] as const)
    if (typeof content[word] === 'string') return content[word]
  return key
}

const titleOf = ({ key }: Operation, address: string): string =>
  key
    .replace(/^(?:send|receive) /, '')
    .replace(address, '')
    .trim() || 'message'

function written({ slots }: Operation, name: string): { value: JsonObject; components: JsonObject } {
  const value: Record<string, Json> = {}
  const schemas: Record<string, Json | undefined> = {}
  for (const slot of slots) {
    const part = slot.at.replace(/^event\./, '')
    if (part !== 'payload' && part !== 'headers') continue
    const made = writtenSchema(slot, `${name}.${part}`)
    value[part] = made.schema
    Object.assign(schemas, made.schemas)
  }
  return { value, components: { schemas } }
}
