/** Bytes of which a prefix is durable. Like the files of the store it only grows at its end or is cut. */
export class SimulatedFile {
  #bytes: Buffer
  #size: number
  /** How much of the present content is durable. */
  #syncedSize: number
  /** The durable content, when it is not a prefix of the present one because that has been cut since. */
  #syncedContent: Buffer | undefined

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
    if (size < this.#syncedSize) {
      this.#syncedContent ??= Buffer.from(this.#bytes.subarray(0, this.#syncedSize))
      this.#syncedSize = size
    }
    this.#size = size
  }

  sync(): void {
    this.#syncedSize = this.#size
    this.#syncedContent = undefined
  }

  /** Keeps what was synced and some of what came after; a cut that was not synced may not have happened. */
  crash(random: () => number): void {
    if (this.#syncedContent !== undefined && random() < 0.5) {
      this.#bytes = this.#syncedContent
      this.#size = this.#syncedContent.length
    } else {
      const unsynced = this.#size - this.#syncedSize
      this.#size = this.#syncedSize + Math.floor(random() * (unsynced + 1))
      // Blocks of one write arrive in any order: the size may be there and the bytes not.
      if (random() < 0.25)
        this.#bytes.fill(
          0,
          this.#syncedSize + Math.floor(random() * (this.#size - this.#syncedSize + 1)),
          this.#size,
        )
    }
    this.sync()
  }
}
