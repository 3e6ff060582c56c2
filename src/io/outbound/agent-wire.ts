import type { AgentWire } from '../../engine/ports/work-ports.ts'
import { CHIFFON_BOUNDS } from '../../protocol/chiffon/envelope.ts'
import { isHeavyJson } from '../../protocol/json/heavy-json.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { placeOf } from './hub-request.ts'
import type { OpenAnswer } from './outbound-request.ts'
import { callTargets, type PeerTargetOptions } from './peer-target.ts'
import { readEvents, readText } from './read-body.ts'
import { createRequester, type Requester } from './request.ts'
import { tooMuch } from './whole-answer.ts'

const MESSAGE_BYTES = 2 * CHIFFON_BOUNDS.bodyBytes
const MOST_OF_MESSAGE = { values: 1_000_000, depth: LIMITS.foreignAnswer.depth }
const ACCEPT = { accept: 'text/event-stream, application/json;q=0.9' }

/** Posts messages to agents. Has connections of its own: a stream of hours must not hold up what peers sync. */
export function createAgentWire(options: PeerTargetOptions): AgentWire & Pick<Requester, 'destroy'> {
  // Whoever posts decides how long the agent may be silent, and then gives the signal.
  const { resolve, askOnHub } = options
  const requester = createRequester({ resolve, askOnHub, headersTimeout: 0, bodyTimeout: 0 })
  const callTo = callTargets(options)

  return {
    async post(url, { body, to }, signal) {
      const answer = await requester.open({ url, target: callTo(to), headers: ACCEPT, body, signal })
      const isStream = answer.contentType.startsWith('text/event-stream')
      const messages = isStream ? messagesOf(answer) : messageIn(answer)
      return { status: answer.status, isStream, messages: withinBounds(messages, placeOf(url)) }
    },
    destroy: requester.destroy,
  }
}

async function* messagesOf({ body }: OpenAnswer): AsyncGenerator<unknown> {
  for await (const data of readEvents(body, MESSAGE_BYTES)) yield parsed(data)
}

async function* messageIn({ body }: OpenAnswer): AsyncGenerator<unknown> {
  const text = await readText(body, MESSAGE_BYTES)
  if (text !== '') yield parsed(text)
}

/** Undefined also for JSON that would take too long to parse. */
const parsed = (text: string): unknown => (isHeavyJson(text, MOST_OF_MESSAGE) ? undefined : jsonIn(text))

async function* withinBounds(messages: AsyncIterable<unknown>, origin: string): AsyncGenerator<unknown> {
  try {
    yield* messages
  } catch (error) {
    throw error instanceof RangeError ? tooMuch(origin) : error
  }
}
