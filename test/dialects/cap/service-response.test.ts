import { expect, test } from 'vitest'
import { ChatMessage, chatMessages } from '../../../src/dialects/cap/chat.ts'
import { serviceResponse } from '../../../src/dialects/cap/service-response.ts'
import { completedRun, foldRun, text } from '../../support/dialects/run-events.ts'

const request_id = '550e8400-e29b-41d4-a716-446655440000'
const output = { text: 'The project is on track.' }

test("the document's answer [cap-response-1] [cap-response-2]", () => {
  const result = foldRun(completedRun([text(output.text), { type: 'usage', usage: { tokens: 120 } }]))
  expect(serviceResponse({ request_id }, { ...result, duration_ms: 450 }, output)).toEqual({
    request_id,
    created_at: '2026-01-19T12:00:04.000000Z',
    output,
    metrics: { duration_ms: 450, tokens: 120 },
  })
})

test('without metrics there is no such key [cap-response-2] CAP-21', () => {
  const result = { ...foldRun(completedRun([])), duration_ms: null }
  expect(serviceResponse({ request_id }, result, output)).not.toHaveProperty('metrics')
})

test('a question that got no answer stands alone, and a tool says which call it answers [cap-chat-1] CAP-23', () => {
  const turn = {
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Well?' }] },
      { role: 'tool', content: [{ type: 'text', text: '7' }], tool_call_id: 'c1' },
    ] as const,
    asked_at: '2026-01-19T12:00:00.000000Z',
    text: '',
    answered_at: '2026-01-19T12:00:01.000000Z',
  }
  const messages = chatMessages([turn])
  expect(messages).toEqual([
    { role: 'user', content: 'Well?', timestamp: turn.asked_at },
    { role: 'tool', content: '7', tool_call_id: 'c1', timestamp: turn.asked_at },
  ])
  for (const message of messages) expect(ChatMessage.parse(message)).toEqual(message)
  expect(ChatMessage.safeParse({ ...messages[0], role: 'bot' }).success).toBe(false)
})
