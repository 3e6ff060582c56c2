/** One event of a `text/event-stream`. */
export interface SseFrame {
  readonly event?: string
  readonly id?: string
  /** JSON text, or other text without line breaks: real clients do not join several data lines. */
  readonly data: string
}

/** The exact text of a frame: event, id, data, a space after each colon, and line feeds only. */
export function sseText({ event, id, data }: SseFrame): string {
  const named = event === undefined ? '' : `event: ${event}\n`
  const numbered = id === undefined ? '' : `id: ${id}\n`
  // Data with line breaks still gives a well-formed stream.
  return `${named}${numbered}data: ${/[\r\n]/.test(data) ? data.replace(/\r\n|\r|\n/g, '\ndata: ') : data}\n\n`
}

/** Characters that some readers take for line ends, although they are none, not even in JSON. */
const LINE_BREAKS = /[\u0085\u2028\u2029]/g

/** JSON text that is one line for every reader. */
export function lineOfJson(value: unknown): string {
  return JSON.stringify(value).replace(
    LINE_BREAKS,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Parsers ignore it: it shows the reader that the connection is alive. */
export const SSE_COMMENT = ': still here\n\n'
