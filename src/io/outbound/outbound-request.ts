import type { Readable } from 'node:stream'
import type { HubAnswer } from '../../engine/ports/hub-rooms.ts'
import type { ConnectionRules } from './connector.ts'

/** To whom a request may go, and the headers that tell who calls and with which key. */
export interface Target {
  /** Without rules, any address and any certificate that an authority vouches for will do. */
  readonly rules?: ConnectionRules | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** What is sent, to whom it may go, and how much of an answer is awaited for how long. */
export interface OutboundRequest {
  readonly url: string | URL
  /** Asked when the connection is chosen: no key goes over a connection that was made under the rules of another. */
  readonly target: () => Target
  /** Is posted; a text is JSON. Without a body the request is a GET. */
  readonly body?: string | Readable
  readonly headers?: Readonly<Record<string, string>>
  /** Breaks the request off. */
  readonly signal?: AbortSignal | undefined
  /** How long the request may take until its answer is complete. */
  readonly millis?: number
  /** Where this request differs from the others: until the answer begins, and while its body pauses. */
  readonly headersTimeout?: number
  readonly bodyTimeout?: number
  /** How much of an answer is read as a whole, so that parsing it takes no long time either. */
  readonly limits?: { readonly bytes: number; readonly values: number; readonly depth: number }
}

export interface WholeAnswer {
  readonly status: number
  readonly text: string
}

/** Before its body is read, or discarded, the connection serves no other request. */
export type OpenAnswer = HubAnswer

export const JSON_BODY = { 'content-type': 'application/json' }

/** When a request is to be broken off. */
export function endOf({ millis, signal }: OutboundRequest): AbortSignal | null {
  if (millis === undefined) return signal ?? null
  const timeout = AbortSignal.timeout(millis)
  if (signal === undefined) return timeout
  // Node.js 20 forgets a timeout that nobody listens to, and then it never comes.
  timeout.addEventListener('abort', () => {})
  return AbortSignal.any([signal, timeout])
}
