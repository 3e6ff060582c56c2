import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { jsonText } from '../../protocol/json/text.ts'
import { partsOf } from '../../protocol/text/split.ts'
import { assertRoomFor, holdBytes, holdTexts } from './unread.ts'

/** The Retry-After of refusals that have none of their own, such as busy: places come free within seconds. */
const COME_AGAIN_SECONDS = 5

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

/**
 * So many characters are handed to a connection at a time. What comes after them stays outside of it, where
 * everybody who waits for the same text shares it.
 */
export const SLICE_CHARS = 64 * 1024

/** Writes texts as fast as they are read. Resolves when they are out, or the reader has gone. */
export async function writeTexts(response: ServerResponse, texts: readonly string[]): Promise<void> {
  if (response.destroyed) return
  if (charsOf(texts) <= SLICE_CHARS) {
    const text = texts.join('')
    if (response.write(text)) return
    countUntilRead(response)
    return drained(response)
  }
  const { texts: held, release } = holdTexts(response, texts)
  try {
    for (const slice of slicesOf(held)) {
      if (response.destroyed) return
      if (!response.write(slice)) await drained(response)
    }
  } finally {
    release()
  }
}

/** For what was handed over at once: counts it for as long as it is not out. */
export function countUntilRead(response: ServerResponse): void {
  const { writableLength } = response
  if (response.destroyed || writableLength === 0) return
  onFirst(response, ['drain', 'finish'], holdBytes(response, writableLength))
}

/** When the reader caught up, or left. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => onFirst(response, ['drain', 'close'], resolve))
}

function onFirst(response: ServerResponse, events: readonly string[], call: () => void): void {
  const done = () => {
    for (const event of events) response.off(event, done)
    call()
  }
  for (const event of events) response.once(event, done)
}

const charsOf = (texts: readonly string[]): number => texts.reduce((sum, { length }) => sum + length, 0)

/** Short texts go together, because each write costs. */
function* slicesOf(texts: readonly string[]): Iterable<string> {
  let short = ''
  for (const text of texts) {
    if (short.length + text.length <= SLICE_CHARS) short += text
    else {
      if (short !== '') yield short
      short = text.length <= SLICE_CHARS ? text : ''
      if (short === '') yield* partsOf(text, SLICE_CHARS)
    }
  }
  if (short !== '') yield short
}
