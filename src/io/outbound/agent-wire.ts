import type { AgentWire } from '../../engine/ports/work-ports.ts'
import { CHIFFON_BOUNDS } from '../../protocol/chiffon/envelope.ts'
import { Fault } from '../../protocol/fault.ts'
import { isHeavyJson } from '../../protocol/json/heavy-json.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { createSseParser } from '../../protocol/sse/parser.ts'
import { createOutboundAgents, type OutboundOptions } from './agents.ts'

/** What one message of another agent may take at most. */
const MESSAGE_BYTES = 2 * CHIFFON_BOUNDS.bodyBytes
const MOST_OF_MESSAGE = { values: 1_000_000, depth: LIMITS.foreignAnswer.depth }
const MESSAGES = {
  'content-type': 'application/json',
  accept: 'text/event-stream, application/json;q=0.9',
}

export interface HttpAgentWire extends AgentWire {
  destroy(): Promise<void>
}

/** Posts messages over undici. Connections of its own: a stream of hours must not hold up what peers sync. */
export function createAgentWire(options: OutboundOptions): HttpAgentWire {
  // Whoever posts decides how long silence may last, and ends it by its signal.
  const { callTo, destroy } = createOutboundAgents(options, {
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return {
    async post(url, { body, to }, signal) {
      const { origin, pathname } = new URL(url)
      try {
        const { agent, headers } = await callTo(to)
        const reply = await agent.request({
          origin,
          path: pathname,
          method: 'POST',
          headers: { ...headers, ...MESSAGES },
          body,
          signal,
        })
        const isStream = String(reply.headers['content-type'] ?? '').startsWith('text/event-stream')
        const messages = isStream ? streamed(reply.body) : whole(reply.body)
        return { status: reply.statusCode, isStream, messages: inWords(origin, messages) }
      } catch (error) {
        throw unreachable(origin, error)
      }
    },
    destroy,
  }
}

async function* streamed(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const decoder = new TextDecoder()
  const parser = createSseParser(MESSAGE_BYTES)
  for await (const chunk of body)
    for (const data of parser.feed(decoder.decode(chunk, { stream: true }))) yield parsed(data)
}

async function* whole(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > MESSAGE_BYTES) throw new RangeError('An answer is longer than anybody may send')
    chunks.push(chunk)
  }
  if (bytes > 0) yield parsed(Buffer.concat(chunks).toString('utf8'))
}

/** Undefined also for what would take too long to read. */
const parsed = (text: string): unknown => (isHeavyJson(text, MOST_OF_MESSAGE) ? undefined : jsonIn(text))

async function* inWords(origin: string, messages: AsyncIterable<unknown>): AsyncGenerator<unknown> {
  try {
    yield* messages
  } catch (error) {
    throw unreachable(origin, error)
  }
}

function unreachable(origin: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  const { code = 'the connection failed' } = cause as { code?: string }
  return new Fault('unavailable', `${origin} cannot be reached: ${code}`, { cause })
}
