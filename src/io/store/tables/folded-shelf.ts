import type { Shelf } from '../../../domain/view.ts'
import { type Item, SortedShelf } from './shelf.ts'

/** The ids of a project's entities in their order; each is put together when it is asked for, and may turn out to be none. */
export class FoldedShelf<Value> implements Shelf<Value> {
  readonly #ids = new SortedShelf<string>()
  readonly #fold: (id: string) => Value | undefined
  /** How many are something; undefined while nobody knows. */
  #size: number | undefined

  constructor(fold: (id: string) => Value | undefined) {
    this.#fold = fold
  }

  get size(): number {
    this.#size ??= this.#countAll()
    return this.#size
  }

  get(id: string): Value | undefined {
    return this.#ids.item(id) === undefined ? undefined : this.#fold(id)
  }

  oldestFirst(after?: string): Iterable<Value> {
    return this.#folded(this.#ids.oldestFirst(after))
  }

  newestFirst(): Iterable<Value> {
    return this.#folded(this.#ids.newestFirst())
  }

  beginningWith(prefix: string): Iterable<Value> {
    return this.#folded(this.#ids.beginningWith(prefix))
  }

  *#folded(ids: Iterable<string>): Iterable<Value> {
    for (const id of ids) {
      const value = this.#fold(id)
      if (value !== undefined) yield value
    }
  }

  /** The id stands at this place, whether it stood at another one or at none. */
  place(id: string, rank: string): void {
    const before = this.#ids.item(id)
    if (before?.rank === rank) return
    this.#ids.swap(before, itemOf(id, rank))
    if (before === undefined && this.#size !== undefined && this.#fold(id) !== undefined) this.#size++
  }

  /** By what it stands where it does; undefined when it does not stand here. */
  placeOf(id: string): string | undefined {
    return this.#ids.item(id)?.rank
  }

  remove(id: string): void {
    const before = this.#ids.item(id)
    if (before === undefined) return
    this.#ids.swap(before, undefined)
    this.#size = undefined
  }

  /** What is something, and what is not, may have changed. */
  recount(): void {
    this.#size = undefined
  }

  #countAll(): number {
    let count = 0
    for (const _ of this.oldestFirst()) count++
    return count
  }
}

const itemOf = (id: string, rank: string): Item<string> => ({ id, rank, value: id, entry: undefined })
