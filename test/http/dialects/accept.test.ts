import { expect, test } from 'vitest'
import { deliveryFor } from '../../../src/http/dialects/accept.ts'

const STREAM = 'server_sent_events'
const ONCE = 'request_response'

test.each([
  [undefined, ONCE, ONCE],
  [undefined, STREAM, STREAM],
  ['*/*', ONCE, ONCE],
  ['*/*', STREAM, STREAM],
  ['text/html', STREAM, STREAM],
  ['text/event-stream', ONCE, STREAM],
  ['Text/Event-Stream; charset=utf-8', ONCE, STREAM],
  ['application/json', STREAM, ONCE],
  ['application/json, text/event-stream', ONCE, ONCE],
  ['application/json, text/event-stream', STREAM, STREAM],
  ['application/json;q=0.5, text/event-stream', ONCE, STREAM],
  ['application/json, text/event-stream;q=0.1', STREAM, ONCE],
  ['text/event-stream;q=0, */*', STREAM, ONCE],
  ['application/json;q=0, */*', ONCE, STREAM],
  ['text/event-stream;q=oops', ONCE, STREAM],
] as const)(
  'Accept %j to a capability of mode %s is delivered as %s [transport-mode-2]',
  (accept, mode, delivery) => {
    expect(deliveryFor(accept, mode)).toBe(delivery)
  },
)
