import { firstOf } from '../../protocol/collections/iterables.ts'
import { nearTo } from '../../protocol/text/closest.ts'
import { isUuid } from '../../protocol/text/uuid.ts'

const MOST_NAMES_COMPARED = 300

/** The name that was probably meant. Not for ids: they are often asked for before their entity arrives. */
export function closestName<Value>(
  some: Iterable<Value>,
  word: string,
  nameOf: (one: Value) => string | undefined,
): string | undefined {
  if (isUuid(word)) return undefined
  const names = firstOf(some, MOST_NAMES_COMPARED).flatMap((one) => nameOf(one) ?? [])
  return nearTo(word, names)
}

/** The start of an advice sentence. */
export const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `Did you mean ${meant}? `
