import type { ServerResponse } from 'node:http'
import { createInTurn } from '../../engine/ports/in-turn.ts'
import { SSE_COMMENT, type SseFrame, sseText } from '../../protocol/sse/sse.ts'
import { readerOf } from '../request/reader.ts'
import { writeTexts } from './send.ts'

export type EventStream = ReturnType<typeof openEventStream>

interface EventStreamOptions {
  /** A comment is sent after so long without an event. */
  readonly commentMillis: number
  /** Calls `shutOut` when the reader is shut out. The stream then ends by itself, unless it waits for the reader. */
  readonly watch: (shutOut: () => void) => () => void
}

/**
 * A stream of events to one reader, who may be slow and may leave. Sends 200 and the headers at once, so refusals have
 * to come before.
 */
export function openEventStream(response: ServerResponse, { commentMillis, watch }: EventStreamOptions) {
  const signal = readerOf(response)
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
  })
  response.flushHeaders()
  const comment = setTimeout(() => {
    // A reader that does not read gets no comments on top.
    if (!response.writableNeedDrain) response.write(SSE_COMMENT)
    comment.refresh()
  }, commentMillis)
  comment.unref()
  const unwatch = watch(() => {
    if (response.writableNeedDrain) response.destroy()
  })
  const fallSilent = () => {
    clearTimeout(comment)
    unwatch()
  }
  signal.addEventListener('abort', fallSilent)
  if (signal.aborted) fallSilent()
  // An error of the connection also closes it, which aborts the signal.
  response.on('error', () => {})

  /** Several may send: a long text is written in pieces, and nothing else may come between those. */
  const inTurn = createInTurn()
  const sendTexts = (texts: readonly string[]): Promise<void> =>
    inTurn(async () => {
      if (signal.aborted || response.writableEnded || texts.length === 0) return
      comment.refresh()
      await writeTexts(response, texts)
    })

  return {
    /** Aborted as soon as the reader has gone: hand it to `runs.follow`. */
    signal,
    /** Resolves when there is room for more: nothing piles up for a reader that is slow. */
    send: (frames: readonly SseFrame[]): Promise<void> => sendTexts(frames.map(sseText)),
    /** The same for frames that are text already. */
    sendTexts,
    end(): void {
      fallSilent()
      if (!response.writableEnded) response.end()
    },
  }
}
