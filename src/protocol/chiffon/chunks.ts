import { utf8Size } from '../text/utf8.ts'

const KIB = 1024

export const CHUNK_BOUNDS = {
  /** A longer output is cut into chunks. In bytes of UTF-8. */
  wholeBytes: KIB * KIB,
  /** The same as JSON text, where control characters take six times as much. */
  wholeJsonBytes: 2 * KIB * KIB,
  chunkBytes: 256 * KIB,
  chunkJsonBytes: 512 * KIB,
} as const

/** From byte `start` up to, but not including, byte `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A part of an output that has `total` bytes. */
export interface Range extends Span {
  readonly total: number
}

interface Chunk extends Range {
  readonly text: string
}

/** Such as `0-262144, 524288-786432`. */
export const spansText = (spans: readonly Span[]): string =>
  spans.map(({ start, end }) => `${start}-${end}`).join(', ')

export const rangeText = ({ start, end, total }: Range): string => `bytes ${start}-${end} of ${total}`

export function parseRange(text: string): Range | undefined {
  const match = /^bytes (\d{1,15})-(\d{1,15}) of (\d{1,15})$/.exec(text)
  if (match === null) return undefined
  const [start = 0, end = 0, total = 0] = match.slice(1).map(Number)
  return start < end && end <= total ? { start, end, total } : undefined
}

/** The output in chunks that each fit in a message; undefined if it fits in one message. */
export function chunksOf(output: string): readonly Chunk[] | undefined {
  const whole = sizeOf(output)
  if (whole.bytes <= CHUNK_BOUNDS.wholeBytes && whole.jsonBytes <= CHUNK_BOUNDS.wholeJsonBytes)
    return undefined
  const chunks: Chunk[] = []
  let from = 0
  let start = 0
  let bytes = 0
  let jsonBytes = 0
  const close = (to: number) => {
    chunks.push({ text: output.slice(from, to), start, end: start + bytes, total: whole.bytes })
    from = to
    start += bytes
    bytes = 0
    jsonBytes = 0
  }
  for (let at = 0; at < output.length; ) {
    const point = output.codePointAt(at) ?? 0
    const size = utf8Size(point)
    const jsonSize = pointJsonSize(point)
    if (bytes + size > CHUNK_BOUNDS.chunkBytes || jsonBytes + jsonSize > CHUNK_BOUNDS.chunkJsonBytes)
      close(at)
    bytes += size
    jsonBytes += jsonSize
    at += point > 0xffff ? 2 : 1
  }
  close(output.length)
  return chunks
}

/** The end of an output, as much as fits in a chunk. */
export function tailOf(output: string): Chunk {
  const whole = sizeOf(output)
  let { bytes, jsonBytes } = whole
  let from = 0
  while (bytes > CHUNK_BOUNDS.chunkBytes || jsonBytes > CHUNK_BOUNDS.chunkJsonBytes) {
    const point = output.codePointAt(from) ?? 0
    bytes -= utf8Size(point)
    jsonBytes -= pointJsonSize(point)
    from += point > 0xffff ? 2 : 1
  }
  return { text: output.slice(from), start: whole.bytes - bytes, end: whole.bytes, total: whole.bytes }
}

/** The size in UTF-8, as it is and as JSON text. */
function sizeOf(text: string): { bytes: number; jsonBytes: number } {
  let bytes = 0
  let jsonBytes = 0
  for (let at = 0; at < text.length; ) {
    const point = text.codePointAt(at) ?? 0
    bytes += utf8Size(point)
    jsonBytes += pointJsonSize(point)
    at += point > 0xffff ? 2 : 1
  }
  return { bytes, jsonBytes }
}

const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c])

function pointJsonSize(point: number): number {
  if (SHORT_ESCAPES.has(point)) return 2
  return point < 0x20 || (point >= 0xd800 && point <= 0xdfff) ? 6 : utf8Size(point)
}
