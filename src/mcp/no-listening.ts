import { FAULTS } from '../protocol/fault.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json/json.ts'

/**
 * Nothing that a client could subscribe to ever changes, so no server here has the method; without this the library
 * would accept it.
 */
const LISTEN = 'subscriptions/listen'

/** The answer to a subscription request; undefined for all other messages. */
export function refusedListening(message: unknown): JsonObject | undefined {
  if (!isJsonObject(message) || message['method'] !== LISTEN || message['id'] === undefined) return undefined
  return {
    jsonrpc: '2.0',
    id: message['id'] as Json,
    error: {
      code: FAULTS.method_not_found.rpc,
      message: `Method not found: ${LISTEN} is not supported, because the lists of this server do not change`,
      data: { next: 'Call the tool wait to hear of what happens in the projects' },
    },
  }
}
