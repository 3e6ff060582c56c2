import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'

/** Ours are shorter. */
const LONGEST_SESSION = 100

/**
 * Clients of 2025 take a request back with a message of its own, which knows only its number: the session says whose
 * numbers these are. It is nothing but that name, so that clients may go on with theirs after a restart. Those of 2026
 * just hang up.
 */
export function createCancels() {
  const awaited = new Map<string, ServerResponse>()
  const nameOf = (session: string, id: unknown) => `${session} ${JSON.stringify(id)}`

  return {
    /** By which the requests of one client are known; undefined where it has none. */
    sessionOf({ headers }: IncomingMessage, { kind, agentId, credential }: Caller): string | undefined {
      const session = headers['mcp-session-id']
      if (typeof session !== 'string' || session.length > LONGEST_SESSION) return undefined
      return JSON.stringify([kind, agentId, credential, session])
    },

    /** Whether this message took back an earlier request, which then ends without an answer. */
    cancel(session: string | undefined, { method, params }: JsonObject): boolean {
      if (session === undefined || method !== 'notifications/cancelled' || !isJsonObject(params)) return false
      const response = awaited.get(nameOf(session, params['requestId']))
      // Whoever worked for it sees that nobody waits any more.
      response?.end()
      return response !== undefined
    },

    /** A request that may be taken back; what it returns is to be called when it was answered. */
    await(session: string | undefined, { method, id }: JsonObject, response: ServerResponse): () => void {
      const isCancellable = method === 'tools/call' && (typeof id === 'string' || typeof id === 'number')
      if (session === undefined || !isCancellable) return () => {}
      const name = nameOf(session, id)
      awaited.set(name, response)
      return () => {
        if (awaited.get(name) === response) awaited.delete(name)
      }
    },
  }
}
