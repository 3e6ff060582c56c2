import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { jsonText } from '../../protocol/json/text.ts'
import { assertRoomFor } from './unread.ts'
import { countUntilRead, SLICE_CHARS, writeTexts } from './write.ts'

/** The Retry-After of refusals that have none of their own, such as busy: places come free within seconds. */
const COME_AGAIN_SECONDS = 5

/** Writes one JSON answer. */
export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  sendText(response, status, jsonText(body))
}

/**
 * The same for what is JSON text already, in one piece or several; without any only the status. A long one is
 * refused, by a fault, to a caller that left too much unread.
 */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string | readonly string[] | undefined,
): void {
  if (response.destroyed || response.headersSent) return
  if (text === undefined) {
    response.writeHead(status)
    response.end()
    return
  }
  const texts = typeof text === 'string' ? [text] : text
  const bytes = texts.reduce((sum, one) => sum + Buffer.byteLength(one), 0)
  const isLong = texts.some(({ length }) => length > SLICE_CHARS)
  if (isLong) assertRoomFor(response, texts)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': bytes,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // What was not read of a body that is too large must not be taken for the next request.
    ...(status === 413 ? { connection: 'close' } : {}),
    ...(isForNow(status) && !response.hasHeader('retry-after')
      ? { 'retry-after': String(COME_AGAIN_SECONDS) }
      : {}),
    ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  })
  if (isLong) sendLong(response, texts)
  else {
    const whole = texts.join('')
    // Text of ASCII alone has the same bytes in Latin-1, as which it goes out in a fraction of the time.
    response.end(whole, bytes === whole.length ? 'latin1' : 'utf8')
    countUntilRead(response)
  }
}

function sendLong(response: ServerResponse, texts: readonly string[]): void {
  // An error of the connection also closes it, and nothing is left to do.
  response.on('error', () => {})
  void writeTexts(response, texts).then(() => {
    if (!response.destroyed) response.end()
  })
}

const isForNow = (status: number): boolean => status === 429 || status === 503

/**
 * Sends bytes as they come, and breaks off when `watch` tells that the reader is shut out. That the other side does not
 * wait for the rest is no failure of ours.
 */
export async function sendBytes(
  response: ServerResponse,
  bytes: AsyncIterable<Uint8Array>,
  watch: (shutOut: () => void) => () => void,
): Promise<void> {
  const unwatch = watch(() => response.destroy())
  await pipeline(bytes, response)
    .catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    })
    .finally(unwatch)
}
