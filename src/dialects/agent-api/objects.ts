import type { JsonObject } from '../../protocol/json/json.ts'
import type { ContentPart } from '../../protocol/run/content.ts'

/**
 * The three objects that an answer is made of. All keys are always there, in this order, as clients know them;
 * `sequence_number` is null where an object stands inside another one.
 */
export type WireEvent = WireResponse | WireMessage | WireContent

export interface WireError {
  /** Always text: a number makes one of the clients drop the event. */
  readonly code: string
  readonly message: string
}

export interface WireResponse {
  readonly sequence_number: number | null
  readonly object: 'response'
  readonly status: 'created' | 'in_progress' | 'completed' | 'failed' | 'rejected'
  readonly error: WireError | null
  readonly id: string
  /** In whole seconds since 1970, as is completed_at. */
  readonly created_at: number
  readonly completed_at: number | null
  readonly output: readonly WireMessage[] | null
  readonly usage: Readonly<Record<string, number>> | null
  readonly session_id: string | null
}

export interface WireMessage {
  readonly sequence_number: number | null
  readonly object: 'message'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly error: WireError | null
  readonly id: string
  readonly type: MessageType
  /** One of these only: another one makes a client drop the message and the response that holds it. */
  readonly role: 'assistant' | 'tool'
  readonly content: readonly WireContent[] | null
  readonly code: string | null
  readonly message: string | null
  readonly usage: null
  readonly metadata: JsonObject | null
}

export type MessageType = 'message' | 'reasoning' | 'plugin_call' | 'plugin_call_output' | 'heartbeat'

export type WireContent = {
  readonly sequence_number: number | null
  readonly object: 'content'
  readonly status: 'in_progress' | 'completed' | 'incomplete'
  readonly error: WireError | null
  readonly type: ContentPart['type']
  readonly index: number
  readonly delta: boolean
  readonly msg_id: string
} & JsonObject

type Facts<T, Keys extends keyof T> = Pick<T, Keys> & Partial<T>

const RESPONSE: WireResponse = {
  sequence_number: null,
  object: 'response',
  status: 'created',
  error: null,
  id: '',
  created_at: 0,
  completed_at: null,
  output: null,
  usage: null,
  session_id: null,
}

export const wireResponse = (
  facts: Facts<WireResponse, 'status' | 'id' | 'created_at' | 'session_id'>,
): WireResponse => ({ ...RESPONSE, ...facts })

const MESSAGE: WireMessage = {
  sequence_number: null,
  object: 'message',
  status: 'in_progress',
  error: null,
  id: '',
  type: 'message',
  role: 'assistant',
  content: null,
  code: null,
  message: null,
  usage: null,
  metadata: null,
}

export const wireMessage = (facts: Facts<WireMessage, 'status' | 'id' | 'type' | 'role'>): WireMessage => ({
  ...MESSAGE,
  ...facts,
})

/** The next of the contents of a message, as a whole; an event has a number. Pieces of text are `delta` events. */
export function wireContent(
  { id, contents }: { readonly id: string; readonly contents: readonly WireContent[] },
  { type, ...typed }: ContentPart,
  status: WireContent['status'],
  sequence_number: number | null = null,
): WireContent {
  const slot = { index: contents.length, delta: false, msg_id: id }
  return { sequence_number, object: 'content', status, error: null, type, ...slot, ...typed }
}
