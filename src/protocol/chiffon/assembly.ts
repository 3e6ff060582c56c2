import { Fault } from '../fault.ts'
import { parseRange, type Range, rangeText, type Span } from './chunks.ts'

/** Most bytes of one output, and most separate pieces while chunks are missing. */
const MOST = { bytes: 32 * 1024 * 1024, pieces: 1000 }

/**
 * Assembles an output from its chunks, in whatever order and however often they come. Chunks that contradict
 * themselves or each other are a problem; then nothing is assembled.
 */
export class Assembly {
  #bytes: Uint8Array | undefined
  /** The received pieces in order; adjacent ones are joined. */
  #pieces: readonly Span[] = []
  #problem: string | undefined

  /** What is wrong with the chunks; undefined if nothing is. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Throws a Fault if the output is too long. */
  add(given: string, text: string): void {
    const range = parseRange(given)
    if (range !== undefined && range.total > MOST.bytes)
      throw new Fault(
        'too_large',
        `output_chunk: the output has ${range.total} bytes, and at most ${MOST.bytes} are taken`,
        { data: { field: 'output_chunk' } },
      )
    this.#problem ??=
      range === undefined
        ? `output_chunk: ${given} is no range such as bytes 0-262144 of 524288`
        : this.#place(range, new TextEncoder().encode(text))
  }

  /** The missing ranges; empty if the output is complete. */
  missing(): readonly Span[] {
    const gaps: Span[] = []
    let reached = 0
    for (const { start, end } of this.#pieces) {
      if (start > reached) gaps.push({ start: reached, end: start })
      reached = end
    }
    const total = this.#bytes?.length ?? 0
    if (reached < total) gaps.push({ start: reached, end: total })
    return gaps
  }

  /** The whole output; undefined if there were no chunks, or not all of them. */
  text(): string | undefined {
    if (this.#bytes === undefined || this.#problem !== undefined || this.missing().length > 0)
      return undefined
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#bytes)
  }

  #place(range: Range, chunk: Uint8Array): string | undefined {
    const { start, end, total } = range
    if (chunk.length !== end - start) return `${rangeText(range)} came with ${chunk.length} bytes`
    this.#bytes ??= new Uint8Array(total)
    if (total !== this.#bytes.length)
      return `${rangeText(range)} came after chunks of an output of ${this.#bytes.length} bytes`
    const touching = this.#pieces.filter((piece) => piece.start <= end && piece.end >= start)
    if (touching.some((piece) => this.#differs(piece, range, chunk)))
      return `${rangeText(range)} says other things than a chunk before it`
    this.#bytes.set(chunk, start)
    const whole = {
      start: Math.min(start, touching[0]?.start ?? start),
      end: Math.max(end, touching.at(-1)?.end ?? end),
    }
    const before = this.#pieces.filter((piece) => piece.end < start)
    const after = this.#pieces.filter((piece) => piece.start > end)
    this.#pieces = [...before, whole, ...after]
    return this.#pieces.length > MOST.pieces
      ? `The output came in more than ${MOST.pieces} pieces with gaps between them`
      : undefined
  }

  /** Whether this chunk differs from the received bytes where they overlap. */
  #differs(piece: Span, { start, end }: Range, chunk: Uint8Array): boolean {
    const from = Math.max(piece.start, start)
    const known = this.#bytes?.subarray(from, Math.min(piece.end, end)) ?? chunk
    const said = chunk.subarray(from - start)
    // An explicit loop, because it compares every byte of long outputs.
    for (let at = 0; at < known.length; at++) if (known[at] !== said[at]) return true
    return false
  }
}
