import { nearTo } from '../../protocol/text/closest.ts'
import { isUuid } from '../../protocol/text/uuid.ts'

/** Of many things, the names of so many are compared with one that is mistyped. */
const COMPARED = 300

/** The name of the one that was perhaps meant. An id is no mistyped name, and is often asked for before it is there. */
export function meantAmong<Value>(
  some: Iterable<Value>,
  word: string,
  nameOf: (one: Value) => string | undefined,
): string | undefined {
  if (isUuid(word)) return undefined
  const names: string[] = []
  let left = COMPARED
  for (const one of some) {
    const name = nameOf(one)
    if (name !== undefined) names.push(name)
    if (--left === 0) break
  }
  return nearTo(word, names)
}

/** The beginning of an advice. */
export const didYouMean = (meant: string | undefined): string =>
  meant === undefined ? '' : `Did you mean ${meant}? `
