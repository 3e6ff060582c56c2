const NOTHING = (): void => {}

/**
 * Which ids were ever given a name. Whoever asks has to check whether an entity still has that name and may be seen.
 * So adding a statement costs the same however many there are, and no entity has to be derived for it.
 */
export class NameIndex {
  /** Nearly every name belongs to one id, so a set is made only for the second. */
  readonly #ids = new Map<string, string | Set<string>>()

  idsOf(name: string): Iterable<string> {
    const known = this.#ids.get(name)
    if (known === undefined) return []
    return typeof known === 'string' ? [known] : known
  }

  /** Returns a function that undoes it. */
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
