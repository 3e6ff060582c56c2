/** Bytes of which a prefix is durable. Like the files of the store it only grows at its end or is cut. */
export class SimulatedFile {
  #bytes: Buffer
  #size: number
  /** How much of the present content is durable. */
  #syncedSize: number
  /** What was there before the first cut since the last sync: until then a cut may not have happened. */
  #uncut: { readonly content: Buffer; readonly syncedSize: number } | undefined

  constructor(content: Uint8Array = Buffer.alloc(0)) {
    this.#bytes = Buffer.from(content)
    this.#size = content.length
    this.#syncedSize = content.length
  }

  get size(): number {
    return this.#size
  }

  content(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#size))
  }

  append(bytes: Uint8Array): void {
    const size = this.#size + bytes.length
    if (size > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(size, this.#bytes.length * 2))
      this.#bytes.copy(larger, 0, 0, this.#size)
      this.#bytes = larger
    }
    this.#bytes.set(bytes, this.#size)
    this.#size = size
  }

  truncate(size: number): void {
    this.#uncut ??= { content: this.content(), syncedSize: this.#syncedSize }
    this.#syncedSize = Math.min(this.#syncedSize, size)
    this.#size = size
  }

  sync(): void {
    this.#syncedSize = this.#size
    this.#uncut = undefined
  }

  /** Keeps what was synced and some of what came after; a cut that was not synced may not have happened. */
  crash(random: () => number): void {
    if (this.#uncut !== undefined && random() < 0.5) {
      this.#bytes = this.#uncut.content
      this.#size = this.#bytes.length
      this.#syncedSize = this.#uncut.syncedSize
    }
    const unsynced = this.#size - this.#syncedSize
    this.#size = this.#syncedSize + Math.floor(random() * (unsynced + 1))
    // Blocks of one write arrive in any order: the size may be there and the bytes not.
    if (random() < 0.25)
      this.#bytes.fill(
        0,
        this.#syncedSize + Math.floor(random() * (this.#size - this.#syncedSize + 1)),
        this.#size,
      )
    this.sync()
  }
}
