import { randomUUID } from 'node:crypto'
import { createParser } from 'eventsource-parser'
import type { Reply, TestDaemon } from '../daemons/daemon.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type Message = any

export const TASK = '550e8400-e29b-41d4-a716-446655440004'
export const TRACE = '550e8400-e29b-41d4-a716-446655440002'
export const REQUEST = '550e8400-e29b-41d4-a716-446655440003'

/** The document's own work_request, for the work that this daemon does. */
export function workRequest(payload: object = {}, envelope: object = {}): Message {
  return {
    protocol_version: '1.0',
    message_id: '550e8400-e29b-41d4-a716-446655440001',
    from_agent: 'orchestrator',
    to_agent: 'code',
    timestamp: '2026-01-19T04:21:04Z',
    trace_id: TRACE,
    request_id: REQUEST,
    type: 'work_request',
    payload: {
      task_id: TASK,
      work_type: 'echo',
      parameters: { text: 'hello' },
      hints: { max_duration_seconds: 300, max_memory_mb: 512 },
      ...payload,
    },
    x_custom_fields: {},
    ...envelope,
  }
}

/** Another request of the same kind. */
export const anotherRequest = (payload: object = {}): Message =>
  workRequest({ task_id: randomUUID(), ...payload }, { request_id: randomUUID(), trace_id: randomUUID() })

const JSON_HEADERS = { 'content-type': 'application/json' }

export function postMessage(
  daemon: Pick<TestDaemon, 'fetch'>,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return daemon.fetch('/api/agent/message', {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
}

/** All messages of a streamed answer. */
export async function streamMessage(
  daemon: Pick<TestDaemon, 'fetch'>,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Message[]> {
  const { text, headers: answered } = await postMessage(daemon, message, {
    accept: 'text/event-stream',
    ...headers,
  })
  if (!String(answered['content-type']).startsWith('text/event-stream')) return [JSON.parse(text)]
  return eventData(text).map((data) => JSON.parse(data))
}

/** As a strict client reads a stream. */
export function eventData(text: string): string[] {
  const found: string[] = []
  createParser({ onEvent: ({ data }) => found.push(data) }).feed(text)
  return found
}

/** Asks with the same request until it has ended, as a sender that does not stream. */
export async function pollUntilEnd(
  daemon: Pick<TestDaemon, 'fetch'>,
  message: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const deadline = Date.now() + 20_000
  for (;;) {
    const reply = await postMessage(daemon, message, headers)
    if (reply.status !== 202) return reply
    if (Date.now() > deadline) throw new Error('it did not end')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
