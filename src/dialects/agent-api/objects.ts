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

const RESPONSE = {
  sequence_number: null as number | null,
  object: 'response' as const,
  status: 'created' as 'created' | 'in_progress' | 'completed' | 'failed' | 'rejected',
  error: null as WireError | null,
  id: '',
  /** In whole seconds since 1970, as is completed_at. */
  created_at: 0,
  completed_at: null as number | null,
  output: null as readonly WireMessage[] | null,
  usage: null as Readonly<Record<string, number>> | null,
  session_id: null as string | null,
}
export type WireResponse = Readonly<typeof RESPONSE>

export const wireResponse = (
  facts: Facts<WireResponse, 'status' | 'id' | 'created_at' | 'session_id'>,
): WireResponse => ({ ...RESPONSE, ...facts })

const MESSAGE = {
  sequence_number: null as number | null,
  object: 'message' as const,
  status: 'in_progress' as WireContent['status'],
  error: null as WireError | null,
  id: '',
  type: 'message' as MessageType,
  /** One of these only: another one makes a client drop the message and the response that holds it. */
  role: 'assistant' as 'assistant' | 'tool',
  content: null as readonly WireContent[] | null,
  code: null,
  message: null,
  usage: null,
  metadata: null as JsonObject | null,
}
export type WireMessage = Readonly<typeof MESSAGE>

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
