import type { DeliveryMode } from '../../protocol/agent/capability.ts'

const STREAM = 'text/event-stream'
const JSON_TYPE = 'application/json'

/**
 * How an answer is delivered: as the reader's Accept header says it explicitly, or else as the capability does.
 * Ranges with a star are no explicit wish: every client sends them.
 */
export function deliveryFor(accept: string | undefined, byCapability: DeliveryMode): DeliveryMode {
  const wishes = new Map(wishesIn(accept))
  const [stream, json] = [wishes.get(STREAM), wishes.get(JSON_TYPE)]
  // A reader that rules the one type out gets the other.
  const [forStream, forJson] = [stream ?? (json === 0 ? 1 : 0), json ?? (stream === 0 ? 1 : 0)]
  if (forStream === forJson) return byCapability
  return forStream > forJson ? 'server_sent_events' : 'request_response'
}

/** Whether the reader names the event stream among what it accepts, and does not rule it out. */
export const acceptsStream = (accept: string | undefined): boolean =>
  wishesIn(accept).some(([type, quality]) => type === STREAM && quality > 0)

/** Each media type of the header, and how much it is wanted, from 0 to 1. */
const wishesIn = (accept = ''): (readonly [type: string, quality: number])[] =>
  accept.slice(0, 2000).split(',').map(wishOf)

function wishOf(range: string): readonly [type: string, quality: number] {
  const [type = '', ...params] = range.split(';').map((part) => part.trim().toLowerCase())
  const quality = params.find((param) => param.startsWith('q='))
  const value = quality === undefined ? 1 : Number(quality.slice(2))
  return [type, Number.isNaN(value) ? 1 : Math.min(1, Math.max(0, value))]
}
