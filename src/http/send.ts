import type { ServerResponse } from 'node:http'
import { jsonText } from '../protocol/json-text.ts'

/** Writes one JSON answer; without a body only the status. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  if (response.destroyed || response.headersSent) return
  if (body === undefined) {
    response.writeHead(status)
    response.end()
    return
  }
  const text = jsonText(body)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // What was not read of a body that is too large must not be taken for the next request.
    ...(status === 413 ? { connection: 'close' } : {}),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  })
  response.end(text)
}
