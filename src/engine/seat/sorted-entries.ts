import type { PacketEntity } from '../../domain/views/entities.ts'
import { firstPosition } from '../../protocol/collections/first-position.ts'
import { compareText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'

/** The sort key of an entry: by when it began or changed, then by id. */
export interface SortKey {
  readonly since: Stamp
  readonly id: string
}

export const placeOf = ({ timestamp, packet_id }: PacketEntity): SortKey => ({
  since: timestamp,
  id: packet_id,
})

export function compareSortKeys(a: SortKey, b: SortKey): number {
  return compareText(a.since, b.since) || compareText(a.id, b.id)
}

/** Entries in order. New ones usually go to the end, so keeping the order is cheap. */
export class SortedEntries<P extends SortKey> {
  readonly #slots: P[] = []

  get size(): number {
    return this.#slots.length
  }

  /** In order; not to be kept, because it changes. */
  get all(): readonly P[] {
    return this.#slots
  }

  at(index: number): P | undefined {
    return this.#slots[index]
  }

  /** Adds an entry, or removes it. */
  change(place: P, change: 1 | -1): void {
    if (change === 1) this.add(place)
    else this.remove(place)
  }

  add(place: P): void {
    const last = this.#slots.at(-1)
    if (last === undefined || compareSortKeys(last, place) < 0) this.#slots.push(place)
    else this.#slots.splice(this.#positionOf(place), 0, place)
  }

  remove(place: SortKey): void {
    const position = this.#positionOf(place)
    const found = this.#slots[position]
    if (found !== undefined && compareSortKeys(found, place) === 0) this.#slots.splice(position, 1)
  }

  /** The last first; those before a place, if one is given. */
  *lastFirst(before?: SortKey): Iterable<P> {
    const end = before === undefined ? this.#slots.length : this.#positionOf(before)
    for (let position = end - 1; position >= 0; position--) yield this.#slots[position] as P
  }

  /** The position of the first entry that does not come before this one. */
  #positionOf(place: SortKey): number {
    return firstPosition(this.#slots.length, (position) => {
      const other = this.#slots[position]
      return other !== undefined && compareSortKeys(other, place) < 0
    })
  }
}
