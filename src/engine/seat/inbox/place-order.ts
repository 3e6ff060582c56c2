import { compareText } from '../../../protocol/json/canonical.ts'
import type { Stamp } from '../../../protocol/stamp.ts'

/** Where something stands among what a repo has to do: by when it began, then by id. */
export interface Place {
  readonly since: Stamp
  readonly id: string
}

export function comparePlaces(a: Place, b: Place): number {
  return compareText(a.since, b.since) || compareText(a.id, b.id)
}

/** Places in order. What is new usually goes to the end, so keeping the order costs little. */
export class PlaceOrder<P extends Place> {
  readonly #places: P[] = []

  get size(): number {
    return this.#places.length
  }

  /** From the front. */
  at(index: number): P | undefined {
    return this.#places[index]
  }

  add(place: P): void {
    const last = this.#places.at(-1)
    if (last === undefined || comparePlaces(last, place) < 0) this.#places.push(place)
    else this.#places.splice(this.#positionOf(place), 0, place)
  }

  remove(place: Place): void {
    const position = this.#positionOf(place)
    const found = this.#places[position]
    if (found !== undefined && comparePlaces(found, place) === 0) this.#places.splice(position, 1)
  }

  /** The first position that does not stand before the place. */
  #positionOf(place: Place): number {
    let low = 0
    let high = this.#places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#places[middle]
      if (other !== undefined && comparePlaces(other, place) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
