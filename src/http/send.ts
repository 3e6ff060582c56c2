import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { jsonText } from '../protocol/json-text.ts'

/** Of those who find no room: places come free within seconds. Who calls too often is told a time of its own. */
const COME_AGAIN_SECONDS = 5

/** Writes one JSON answer. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, jsonText(body))
}

/** The same for what is JSON text already; without any only the status. */
export function sendText(response: ServerResponse, status: number, text: string | undefined): void {
  if (response.destroyed || response.headersSent) return
  if (text === undefined) {
    response.writeHead(status)
    response.end()
    return
  }
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // What was not read of a body that is too large must not be taken for the next request.
    ...(status === 413 ? { connection: 'close' } : {}),
    ...(isForNow(status) && !response.hasHeader('retry-after')
      ? { 'retry-after': String(COME_AGAIN_SECONDS) }
      : {}),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  })
  response.end(text)
}

const isForNow = (status: number): boolean => status === 429 || status === 503

/** Sends bytes as they come. That the other side does not wait for the rest is no failure of ours. */
export async function sendBytes(response: ServerResponse, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  await pipeline(bytes, response).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}
