/** One event of a `text/event-stream`. */
export interface SseFrame {
  readonly event?: string
  readonly id?: string
  /** JSON text, or other text without line breaks: real clients do not put several data lines together. */
  readonly data: string
}

/** The exact text of a frame: event, id, data, a space behind each colon, and line feeds only. */
export function sseText({ event, id, data }: SseFrame): string {
  const named = event === undefined ? '' : `event: ${event}\n`
  const numbered = id === undefined ? '' : `id: ${id}\n`
  // Whoever breaks lines in spite of that still sends a well-formed stream.
  return `${named}${numbered}data: ${/[\r\n]/.test(data) ? data.replace(/\r\n|\r|\n/g, '\ndata: ') : data}\n\n`
}

/** What some readers take for the end of a line although it is none, not even in JSON. */
const LINE_BREAKS = /[\u0085\u2028\u2029]/g

/** JSON text that is one line for every reader. */
export function lineOfJson(value: unknown): string {
  return JSON.stringify(value).replace(
    LINE_BREAKS,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** What a parser passes over: shows the reader that the line still stands. */
export const SSE_COMMENT = ': still here\n\n'
