import { randomUUID } from 'node:crypto'
import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { StreamPacket } from '../../../src/dialects/cap/stream-packet.ts'
import { AgentSettings } from '../../../src/protocol/agent/settings.ts'
import type { Reply, TestDaemon } from '../daemons/daemon.ts'
import { node } from '../daemons/scripts.ts'

export const STREAM = { accept: 'text/event-stream' }

/** The request of the transport document. */
export const AGENT_REQUEST = {
  request_id: '123e4567-e89b-12d3-a456-426614174000',
  session_id: '123e4567-e89b-12d3-a456-426614174001',
  payload: { query: 'Hello world' },
}

/** The request of the CAP document. */
export const SERVICE_REQUEST = {
  request_id: '550e8400-e29b-41d4-a716-446655440000',
  context: { session_id: 'sess_abc', user: { id: 'user_123', name: 'Alice', role: 'user' } },
  payload: { query: 'What is the status of the project?', files: [], conversation_id: 'conv_123' },
}

export function assist(
  daemon: TestDaemon,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  return daemon.fetch('/v1/assist', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

/** What the built-in echo is asked for, in the words of either document. */
export const echoing = (payload: object) => ({
  session_id: AGENT_REQUEST.session_id,
  payload,
  metadata: { capability: 'echo' },
})
export const capEchoing = (query: string, meta: object = {}) => ({
  ...SERVICE_REQUEST,
  request_id: randomUUID(),
  payload: { query, meta: { capability: 'echo', ...meta } },
})

export function eventsIn(text: string): { events: EventSourceMessage[]; comments: string[] } {
  const [events, comments]: [EventSourceMessage[], string[]] = [[], []]
  const parser = createParser({
    onEvent: (event) => events.push(event),
    onComment: (comment) => comments.push(comment),
    onError: (error) => {
      throw error
    },
  })
  parser.feed(text)
  return { events, comments }
}

/** The CloudEvents of a stream, as plain JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into events of every shape
export const cloudEventsIn = (text: string): any[] =>
  eventsIn(text).events.map(({ data }) => JSON.parse(data))

export const packetsIn = (text: string): StreamPacket[] =>
  eventsIn(text).events.map(({ data }) => JSON.parse(data))

/** An agent that writes these lines, each a run event, and ends with this code. */
export function telling(events: readonly object[], exitCode = 0): AgentSettings {
  const lines = JSON.stringify(events.map((event) => JSON.stringify(event)).join('\n'))
  return AgentSettings.parse({
    command: node(`process.stdout.write(${lines}); process.exitCode = ${exitCode}`),
    output: 'events',
  })
}
