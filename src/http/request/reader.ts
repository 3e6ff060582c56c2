import { setMaxListeners } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Aborted as soon as whoever waits for this answer has gone, be it before anybody began with it. */
export function readerOf(response: ServerResponse): AbortSignal {
  const left = new AbortController()
  // Every call of a batch may wait for it.
  setMaxListeners(0, left.signal)
  // Once it is closed nobody says so again.
  if (response.destroyed) left.abort()
  else response.once('close', () => left.abort())
  return left.signal
}
