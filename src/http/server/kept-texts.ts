/** What is kept for somebody to read. Texts that are equal are kept once, however many read them. */
export class KeptTexts {
  readonly #texts = new Map<string, { readonly text: string; readonly bytes: number; readers: number }>()
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  growthBy(texts: readonly string[]): number {
    let bytes = 0
    for (const text of new Set(texts)) if (!this.#texts.has(text)) bytes += Buffer.byteLength(text)
    return bytes
  }

  /** Answers the one that is kept of those that are equal. */
  add(text: string): string {
    const kept = this.#texts.get(text) ?? { text, bytes: Buffer.byteLength(text), readers: 0 }
    if (kept.readers++ === 0) {
      this.#texts.set(text, kept)
      this.#bytes += kept.bytes
    }
    return kept.text
  }

  drop(text: string): void {
    const kept = this.#texts.get(text)
    if (kept === undefined || --kept.readers > 0) return
    this.#texts.delete(text)
    this.#bytes -= kept.bytes
  }

  /** Bytes that nobody shares; less than nothing when they are out. */
  count(bytes: number): void {
    this.#bytes += bytes
  }
}
