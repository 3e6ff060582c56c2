import * as z from 'zod'
import { defined } from '../../protocol/collections/defined.ts'
import { type Exchange, type InputMessage, textOf } from '../../protocol/run/content.ts'
import { namedShape } from '../../protocol/words.ts'

export const ChatMessage = namedShape('ChatMessage', {
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  name: z.string().optional(),
  tool_call_id: z.string().optional(),
  timestamp: z.iso.datetime({ offset: true }),
})
export type ChatMessage = Readonly<z.infer<typeof ChatMessage>>

export const Conversation = namedShape('Conversation', {
  conversation_id: z.string(),
  messages: z.array(ChatMessage),
})

/** What was said in a conversation, oldest first. A question that got no answer stands alone. */
export function chatMessages(turns: readonly Exchange[]): readonly ChatMessage[] {
  return turns.flatMap(({ messages, asked_at, text, answered_at }) => [
    ...messages.map((message) => asked(message, asked_at)),
    ...(text === '' ? [] : [{ role: 'assistant', content: text, timestamp: answered_at } as const]),
  ])
}

function asked(message: InputMessage, timestamp: string): ChatMessage {
  const { role, name, tool_call_id } = message
  return { role, content: textOf(message), ...defined({ name, tool_call_id }), timestamp }
}
