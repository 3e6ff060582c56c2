import { byteLength, type Chunk, parseRange } from './chunks.ts'

const MIB = 1024 * 1024

/** What one output may be in all, in how many pieces, and what those may be together: they may overlap. */
const MOST = { bytes: 32 * MIB, chunks: 10_000, chunkBytes: 64 * MIB }

/**
 * Puts an output together from its chunks, in whatever order and however often they come. What contradicts
 * itself, or what came before, is left out, as if it had been lost.
 */
export class Assembly {
  readonly #chunks = new Map<number, Chunk>()
  #total: number | undefined
  #held = 0

  /** Whether there is anything to put together. */
  get isBegun(): boolean {
    return this.#total !== undefined
  }

  add(rangeText: string, text: string): void {
    const range = parseRange(rangeText)
    if (range === undefined || range.total > MOST.bytes || this.#chunks.size >= MOST.chunks) return
    if (range.total !== (this.#total ?? range.total)) return
    const size = range.end - range.start
    if (byteLength(text) !== size) return
    this.#total = range.total
    const known = this.#chunks.get(range.start)
    if (known !== undefined && known.end >= range.end) return
    const held = this.#held + size - (known === undefined ? 0 : known.end - known.start)
    if (held > MOST.chunkBytes) return
    this.#held = held
    this.#chunks.set(range.start, { ...range, text })
  }

  /** The ranges that did not come; empty when the output is whole. */
  missing(): readonly { readonly start: number; readonly end: number }[] {
    const gaps: { start: number; end: number }[] = []
    let reached = 0
    for (const { start, end } of this.#inOrder()) {
      if (start > reached) gaps.push({ start: reached, end: start })
      reached = Math.max(reached, end)
    }
    const total = this.#total ?? 0
    if (reached < total) gaps.push({ start: reached, end: total })
    return gaps
  }

  /** The whole output, when nothing is missing. */
  text(): string | undefined {
    if (!this.isBegun || this.missing().length > 0) return undefined
    let reached = 0
    const parts: string[] = []
    for (const { start, end, text } of this.#inOrder()) {
      if (end <= reached) continue
      const part = start === reached ? text : fromByte(text, reached - start)
      if (part === undefined) return undefined
      parts.push(part)
      reached = end
    }
    return parts.join('')
  }

  #inOrder(): Chunk[] {
    return [...this.#chunks.values()].sort((a, b) => a.start - b.start)
  }
}

/** What follows after so many bytes of UTF-8; undefined when that is in the middle of a character. */
function fromByte(text: string, bytes: number): string | undefined {
  let passed = 0
  let at = 0
  for (const character of text) {
    if (passed >= bytes) break
    passed += byteLength(character)
    at += character.length
  }
  return passed === bytes ? text.slice(at) : undefined
}
