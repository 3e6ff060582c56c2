import type { ServerResponse } from 'node:http'
import { partsOf } from '../../protocol/text/split.ts'
import { holdBytes, holdTexts } from './unread.ts'

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
  const release = holdBytes(response, writableLength)
  const done = () => {
    response.off('drain', done)
    response.off('finish', done)
    release()
  }
  response.once('drain', done)
  response.once('finish', done)
}

/** When the reader caught up, or left. */
function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done)
      response.off('close', done)
      resolve()
    }
    response.once('drain', done)
    response.once('close', done)
  })
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
