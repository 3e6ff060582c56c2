import type { OrderedTable } from '../../../domain/view.ts'
import { firstPosition } from '../../../protocol/collections/first-position.ts'
import { compareText } from '../../../protocol/json/canonical.ts'

/** One row of a sorted table. Never changed in place: a snapshot may still hold it while the table changes. */
export interface Item<Value, E = unknown> {
  readonly id: string
  /** What it is sorted by, as a rule a creation stamp; ids break ties. */
  readonly rank: string
  readonly value: Value
  readonly entry: E
}

/** A map that also keeps its values in order. New values usually go to the end, so keeping the order is cheap. */
export class SortedTable<Value, E = unknown> implements OrderedTable<Value> {
  readonly #byId = new Map<string, Item<Value, E>>()
  readonly #order: Item<Value, E>[] = []

  get size(): number {
    return this.#byId.size
  }

  get(id: string): Value | undefined {
    return this.#byId.get(id)?.value
  }

  item(id: string): Item<Value, E> | undefined {
    return this.#byId.get(id)
  }

  items(): Iterable<Item<Value, E>> {
    return this.#order
  }

  *oldestFirst(after?: string): Iterable<Value> {
    let position = 0
    if (after !== undefined) {
      const item = this.#byId.get(after)
      if (item === undefined) return
      position = this.#positionOf(item) + 1
    }
    for (let item = this.#order[position]; item !== undefined; item = this.#order[++position])
      yield item.value
  }

  *newestFirst(): Iterable<Value> {
    let position = this.#order.length - 1
    for (let item = this.#order[position]; item !== undefined; item = this.#order[--position])
      yield item.value
  }

  *beginningWith(prefix: string): Iterable<Value> {
    for (const { id, value } of this.#order) if (id.startsWith(prefix)) yield value
  }

  /** Removes `before` and adds `after`; either may be missing. `swap(after, before)` undoes it. */
  swap(before: Item<Value, E> | undefined, after: Item<Value, E> | undefined): void {
    if (before !== undefined && after !== undefined && compareItems(before, after) === 0) {
      this.#order[this.#positionOf(before)] = after
    } else {
      if (before !== undefined) this.#order.splice(this.#positionOf(before), 1)
      if (after !== undefined) this.#insert(after)
    }
    if (before !== undefined && before.id !== after?.id) this.#byId.delete(before.id)
    if (after !== undefined) this.#byId.set(after.id, after)
  }

  #insert(item: Item<Value, E>): void {
    const newest = this.#order.at(-1)
    if (newest === undefined || compareItems(newest, item) < 0) this.#order.push(item)
    else this.#order.splice(this.#positionOf(item), 0, item)
  }

  /** The position of the first item that does not come before this one. */
  #positionOf(item: Item<Value, E>): number {
    return firstPosition(this.#order.length, (position) => {
      const other = this.#order[position]
      return other !== undefined && compareItems(other, item) < 0
    })
  }
}

const compareItems = (a: Item<unknown>, b: Item<unknown>): number =>
  compareText(a.rank, b.rank) || compareText(a.id, b.id)
