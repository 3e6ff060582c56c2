import { derivedUuid } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { ContentPart } from '../../protocol/run/content.ts'
import type { RunnerEvent } from '../../protocol/run/event.ts'
import {
  type MessageType,
  type WireContent,
  type WireEvent,
  type WireMessage,
  type WireResponse,
  wireContent,
  wireMessage,
  wireResponse,
} from './objects.ts'

export type Citation = Omit<Extract<RunnerEvent, { type: 'citation' }>, 'type'>

/** A message that is not complete yet. */
interface Open {
  readonly id: string
  readonly type: MessageType
  readonly role: WireMessage['role']
  /** The contents that are complete. */
  readonly contents: WireContent[]
  /** The one that is not; undefined while there is none. */
  text: string | undefined
}

/**
 * One answer as a series of events: every message and content is announced before its first delta, and
 * sent once more as a whole when it is complete. Sequence numbers count from 0 over all events.
 */
export class Answer {
  readonly #about: Pick<WireResponse, 'id' | 'created_at' | 'session_id'>
  /** The ids of its messages are derived from this, so that encoding a run again gives the same events. */
  readonly #seed: string
  readonly #output: WireMessage[] = []
  #said: WireEvent[] = []
  #sequence = 0
  #ids = 0
  #open: Open | undefined
  #citations: Citation[] = []

  constructor(about: Pick<WireResponse, 'id' | 'created_at' | 'session_id'>, seed: string) {
    this.#about = about
    this.#seed = seed
  }

  /** The events since the last call. */
  takeEvents(): readonly WireEvent[] {
    const said = this.#said
    this.#said = []
    return said
  }

  /** The complete messages, and the text of the answer in them. */
  get output(): readonly WireMessage[] {
    return this.#output
  }

  get text(): string {
    const contents = this.#output.flatMap(({ type, content }) => (type === 'message' ? (content ?? []) : []))
    const open = this.#open?.type === 'message' ? this.#open : undefined
    const texts = [...contents, ...(open?.contents ?? [])].map(({ text }) => text ?? '')
    return texts.join('') + (open?.text ?? '')
  }

  response(facts: Pick<WireResponse, 'status'> & Partial<WireResponse>): void {
    this.#said.push(wireResponse({ ...this.#about, ...facts, sequence_number: this.#sequence++ }))
  }

  delta(type: 'message' | 'reasoning', delta: string): void {
    const message = this.#opened(type)
    message.text = (message.text ?? '') + delta
    // Written out for speed, because nearly all events are text deltas.
    this.#said.push({
      sequence_number: this.#sequence++,
      object: 'content',
      status: 'in_progress',
      error: null,
      type: 'text',
      index: message.contents.length,
      delta: true,
      msg_id: message.id,
      text: delta,
    })
  }

  /** Content that is no text ends its message: one of the clients would replace it by the content that follows. */
  part(part: ContentPart): void {
    const message = this.#opened('message')
    this.#completeText(message)
    this.#complete(message, part)
    this.close()
  }

  /** A call grows while a model writes it; here it is known at once. */
  call(type: 'plugin_call' | 'plugin_call_output', empty: JsonObject, whole: JsonObject): void {
    this.close()
    const message = this.#opened(type)
    this.#said.push(wireContent(message, { type: 'data', data: empty }, 'in_progress', this.#sequence++))
    this.#complete(message, { type: 'data', data: whole })
    this.close()
  }

  /** The citation is sent with the message that it is about, when that is complete. */
  cite(citation: Citation): void {
    this.#citations.push(citation)
  }

  /** Citations that were sent with no message. */
  takeCitations(): readonly Citation[] {
    const left = this.#citations
    this.#citations = []
    return left
  }

  /** Shows that the work goes on; it is no part of the answer. */
  heartbeat(part: ContentPart | undefined): void {
    const id = this.#newMessageId()
    const content = part === undefined ? null : [wireContent({ id, contents: [] }, part, 'completed')]
    const facts = { id, content, type: 'heartbeat', role: 'assistant', status: 'in_progress' } as const
    this.#said.push(wireMessage({ ...facts, sequence_number: this.#sequence++ }))
  }

  close(): void {
    if (this.#open === undefined) return
    this.#completeText(this.#open)
    this.#keep(this.#open, 'completed')
  }

  /** Completes a message that was broken off with what it has so far. */
  breakOff(): void {
    if (this.#open === undefined) return
    const { text, contents } = this.#open
    if (text !== undefined) contents.push(wireContent(this.#open, { type: 'text', text }, 'incomplete'))
    this.#keep(this.#open, 'incomplete')
  }

  /** The open message of this type, or else a new one. */
  #opened(type: MessageType): Open {
    if (this.#open?.type === type) return this.#open
    this.close()
    const role = type === 'plugin_call_output' ? 'tool' : 'assistant'
    const id = this.#newMessageId()
    this.#said.push(wireMessage({ id, type, role, status: 'in_progress', sequence_number: this.#sequence++ }))
    this.#open = { id, type, role, contents: [], text: undefined }
    return this.#open
  }

  #completeText(message: Open): void {
    if (message.text === undefined) return
    this.#complete(message, { type: 'text', text: message.text })
    message.text = undefined
  }

  #complete(message: Open, part: ContentPart): void {
    this.#said.push(wireContent(message, part, 'completed', this.#sequence++))
    message.contents.push(wireContent(message, part, 'completed'))
  }

  #keep({ id, type, role, contents }: Open, status: WireMessage['status']): void {
    const citations = type === 'message' ? this.takeCitations() : []
    const metadata = citations.length > 0 ? { citations: citations.map((one) => ({ ...one })) } : null
    const message = wireMessage({ id, type, role, status, content: contents, metadata })
    this.#said.push({ ...message, sequence_number: this.#sequence++ })
    this.#output.push(message)
    this.#open = undefined
  }

  #newMessageId(): string {
    return `msg_${derivedUuid('agent-api message', this.#seed, String(++this.#ids))}`
  }
}
