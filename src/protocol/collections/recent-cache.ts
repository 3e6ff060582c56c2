/**
 * Remembers something about objects without keeping them alive, and only about the newest: in two generations, of which
 * the older one is dropped when the newer one is full. So it holds at least `room`, and at most twice as much.
 */
export class RecentCache<Key extends object, Value extends NonNullable<unknown>> {
  readonly #room: number
  #recent = new WeakMap<Key, Value>()
  #earlier = this.#recent
  #used = 0

  constructor(room: number) {
    this.#room = room
  }

  get(key: Key): Value | undefined {
    return this.#recent.get(key) ?? this.#earlier.get(key)
  }

  /** `size` is what it takes of the room. */
  set(key: Key, value: Value, size = 1): void {
    if (this.#used + size > this.#room && this.#used > 0) {
      this.#earlier = this.#recent
      this.#recent = new WeakMap()
      this.#used = 0
    }
    this.#recent.set(key, value)
    this.#used += size
  }
}
