const NOTHING = (): void => {}

/**
 * Which ids were ever given a name. Whether they go by it now, and may be seen, is for whoever asks to look at: so a
 * statement costs the same however many there are, and nothing has to be folded for it.
 */
export class NameIndex {
  /** Nearly every name is that of one thing. */
  readonly #ids = new Map<string, string | Set<string>>()

  idsOf(name: string): Iterable<string> {
    const known = this.#ids.get(name)
    if (known === undefined) return []
    return typeof known === 'string' ? [known] : known
  }

  /** Returns what takes it back. */
  add(name: string | undefined, id: string): () => void {
    if (name === undefined) return NOTHING
    const known = this.#ids.get(name)
    if (known === id || (known instanceof Set && known.has(id))) return NOTHING
    if (known === undefined) this.#ids.set(name, id)
    else if (typeof known === 'string') this.#ids.set(name, new Set([known, id]))
    else known.add(id)
    return () => this.remove(name, id)
  }

  remove(name: string, id: string): void {
    const known = this.#ids.get(name)
    if (known === id) this.#ids.delete(name)
    else if (known instanceof Set && known.delete(id) && known.size === 0) this.#ids.delete(name)
  }
}
