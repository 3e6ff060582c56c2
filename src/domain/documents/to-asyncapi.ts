import { isJsonObject, type Json, type JsonObject } from '../../protocol/json/json.ts'
import { MOST_WORK_OF_COMMAND } from '../interface/budget.ts'
import { entriesOf } from '../interface/forms/content.ts'
import type { Interface, Operation } from '../interface/model.ts'
import { readInterface } from '../interface/review.ts'
import { oneLine } from '../names/quoted.ts'
import { Names } from '../types/names.ts'
import type { InForce } from '../types/types.ts'
import { type Exported, type Left, SOURCE } from './item.ts'
import { Joined } from './joined.ts'
import { writtenSchema } from './plain-schema.ts'
import { splitAsyncApi } from './split-asyncapi.ts'

/** One document of AsyncAPI 3.0 with all events in force. */
export function toAsyncApi(contracts: readonly InForce[], title: string): Exported {
  const channels = new Channels()
  for (const contract of contracts) {
    const read = readInterface(contract.type, contract.content, MOST_WORK_OF_COMMAND)
    if (read.form !== 'event')
      channels.leave(contract.name, `it is ${read.form === 'opaque' ? 'not understood' : read.form}`)
    else if (String(contract.content['asyncapi'] ?? '').startsWith('3')) channels.takeDocument(contract)
    else channels.takeEvents(contract, read)
  }
  return { document: channels.document(title), left: channels.left }
}

interface Channel {
  readonly id: string
  readonly rest: JsonObject
  readonly messages: Map<string, Json>
}

class Channels {
  readonly left: Left[] = []
  readonly #joined = new Joined()
  readonly #names = new Names()
  readonly #channels = new Map<string, Channel>()
  readonly #operations = new Map<string, Json>()

  leave(name: string, why: string): void {
    this.left.push({ name, why })
  }

  takeDocument({ name, content }: InForce): void {
    const { [SOURCE]: _, ...own } = content
    for (const make of splitAsyncApi(own)) {
      const { channels, operations } = this.#joined.take(make().content)
      const [found] = entriesOf(channels)
      const [operation] = entriesOf(operations)
      if (found === undefined || operation === undefined) continue
      const [id, { messages, ...rest }] = found as [string, JsonObject]
      const [message] = entriesOf(messages)
      if (message !== undefined)
        this.#put(name, {
          address: rest['address'] ?? null,
          id,
          rest,
          message,
          operation: operation as [string, JsonObject],
        })
    }
  }

  /** Version 2 and events in words, from what they carry. */
  takeEvents({ name, content }: InForce, read: Interface): void {
    for (const operation of read.operations) {
      if (operation.slots.length === 0) continue
      const address = addressOf(content, operation)
      const { value, components } = written(operation, this.#names.take(name, 'Event'))
      const message = this.#joined.take({ value, components })['value'] as JsonObject
      this.#put(name, {
        address,
        id: address,
        rest: { address },
        message: [titleOf(operation, address), message],
        operation: [oneLine(name), { action: operation.sender === 'consumer' ? 'receive' : 'send' }],
      })
    }
  }

  #put(
    name: string,
    given: {
      address: Json
      id: string
      rest: JsonObject
      message: readonly [string, Json]
      operation: readonly [string, JsonObject]
    },
  ): void {
    const { address, rest, message, operation } = given
    const key = JSON.stringify(address ?? given.id)
    const channel = this.#channels.get(key) ?? {
      id: safeKey(given.id),
      rest,
      messages: new Map<string, Json>(),
    }
    const [messageKey, value] = [safeKey(message[0]), message[1]]
    if (channel.messages.has(messageKey)) {
      this.leave(name, `another contract has «${messageKey}» on «${channel.id}» already`)
      return
    }
    this.#channels.set(key, channel)
    channel.messages.set(messageKey, value)
    const at = `#/channels/${channel.id}`
    let own = safeKey(operation[0])
    for (let number = 2; this.#operations.has(own); number++) own = `${safeKey(operation[0])}_${number}`
    this.#operations.set(own, {
      ...operation[1],
      channel: { $ref: at },
      messages: [{ $ref: `${at}/messages/${messageKey}` }],
    })
  }

  document(title: string): JsonObject {
    return {
      asyncapi: '3.0.0',
      info: { title: oneLine(title), version: '1' },
      channels: Object.fromEntries(
        Array.from(this.#channels.values(), ({ id, rest, messages }) => [
          id,
          { ...rest, messages: Object.fromEntries(messages) },
        ]),
      ),
      operations: Object.fromEntries(this.#operations),
      ...this.#joined.parts(),
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
