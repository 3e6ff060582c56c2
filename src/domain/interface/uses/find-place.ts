import { nearTo } from '../../../protocol/text/closest.ts'
import type { Interface } from '../model.ts'
import { placesOf } from './places.ts'
import { isWithin, plainPlace } from './within.ts'

/** Whether a use names something that is declared, or what may be where nothing is described. */
export function isPlace(use: string, read: Interface): boolean {
  const { list, isCut } = placesOf(read)
  return (
    isCut ||
    list.some(({ at, isOpen }) => isWithin(at, use) || (isOpen && isWithin(use, at))) ||
    read.operations.some(({ key, prefix }) => prefix !== '' && key === use)
  )
}

/** Most places that are suggested. */
const MOST_SUGGESTED = 12

/** What somebody may have meant who named a place that there is not, and what there is as near to it as possible. */
export function placesNear(use: string, sides: readonly Interface[]) {
  const all = [...new Set(sides.flatMap((read) => placesOf(read).list.map(({ at }) => at)))]
  const above = all.filter((at) => isWithin(use, at)).toSorted((a, b) => b.length - a.length)[0]
  const inside = all.filter((at) => above !== undefined && at !== above && isWithin(at, above))
  const places = inside.length > 0 ? inside : all
  const named = places.filter((at) => lastNameOf(at) === lastNameOf(use))
  const operations = inside.length + named.length > 0 || use.includes(': ') ? [] : operationsIn(sides)
  const candidates = operations.length > 0 ? operations : places
  const [only, another] = named
  const meant = another === undefined && only !== undefined ? only : nearTo(plainPlace(use), candidates)
  return { meant, near: [...new Set([...named, ...candidates])].slice(0, MOST_SUGGESTED) }
}

/** All that have a name of their own, such as `GET /users/{id}`. */
const operationsIn = (sides: readonly Interface[]): string[] => [
  ...new Set(
    sides
      .flatMap(({ operations }) => operations.map(({ prefix }) => prefix.replace(/: $/, '')))
      .filter(Boolean),
  ),
]

/** Whoever writes `response.email` or `email`, as in the content, means the place with that name. */
function lastNameOf(place: string): string {
  const plain = plainPlace(place)
  return plain.slice(plain.lastIndexOf('.') + 1)
}
