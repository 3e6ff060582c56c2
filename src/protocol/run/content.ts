import * as z from 'zod'
import { FreeObject } from '../json/json.ts'

/** One part of a message, of the caller or of the answering agent. URLs are references and never fetched. */
export const ContentPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), image_url: z.string() }),
  z.object({ type: z.literal('data'), data: FreeObject }),
  z.object({ type: z.literal('audio'), data: z.string(), format: z.string().optional() }),
  z.object({ type: z.literal('video'), video_url: z.string() }),
  z.object({
    type: z.literal('file'),
    file_url: z.string().optional(),
    file_id: z.string().optional(),
    filename: z.string().optional(),
    file_data: z.string().optional(),
  }),
  z.object({ type: z.literal('refusal'), refusal: z.string() }),
])
export type ContentPart = Readonly<z.infer<typeof ContentPart>>

export type Role = 'system' | 'user' | 'assistant' | 'tool'

export interface InputMessage {
  readonly role: Role
  readonly content: readonly ContentPart[]
  readonly name?: string
  readonly tool_call_id?: string
}

/** A question and what was answered, as the run engine keeps them. */
export interface Exchange {
  readonly messages: readonly InputMessage[]
  readonly asked_at: string
  /** The answer; empty when there was none. */
  readonly text: string
  readonly answered_at: string
}

/** The text parts of a message, as one text. */
export function textOf({ content }: Pick<InputMessage, 'content'>): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}
