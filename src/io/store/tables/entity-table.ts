import type { OrderedTable } from '../../../domain/view.ts'
import { type Item, SortedTable } from './sorted-table.ts'

/**
 * A project's entities in their order. Only ids are kept; the entity is derived from its statements when it is asked
 * for, and an id whose statements do not (yet) make an entity is skipped.
 */
export class EntityTable<Value> implements OrderedTable<Value> {
  readonly #ids = new SortedTable<string>()
  readonly #fold: (id: string) => Value | undefined
  /** How many ids make an entity; undefined when it has to be counted anew. */
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

  /** Puts the id at this place in the order, whether it had another place before or none. */
  place(id: string, rank: string): void {
    const before = this.#ids.item(id)
    if (before?.rank === rank) return
    this.#ids.swap(before, itemOf(id, rank))
    if (before === undefined && this.#size !== undefined && this.#fold(id) !== undefined) this.#size++
  }

  /** The rank that the id is sorted by; undefined when it is not in the table. */
  placeOf(id: string): string | undefined {
    return this.#ids.item(id)?.rank
  }

  remove(id: string): void {
    const before = this.#ids.item(id)
    if (before === undefined) return
    this.#ids.swap(before, undefined)
    this.#size = undefined
  }

  /** To be called when an id may have begun or ceased to make an entity. */
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
