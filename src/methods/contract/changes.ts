import type { ChangePlace } from './service.ts'

const isLater = (a: ChangePlace, b: ChangePlace): boolean =>
  a.since === b.since ? a.id > b.id : a.since > b.since

/** Several lists with the last change first as one such list. Of each as much is read as is needed. */
export function newestOf<One extends ChangePlace>(lists: readonly Iterable<One>[]): Iterable<One> {
  const [only, ...others] = lists
  return only !== undefined && others.length === 0 ? only : merged(lists)
}

function* merged<One extends ChangePlace>(lists: readonly Iterable<One>[]): Iterable<One> {
  const readers = lists.flatMap((list) => {
    const rest = list[Symbol.iterator]()
    const first = rest.next()
    return first.done === true ? [] : [{ head: first.value, rest }]
  })
  while (readers.length > 0) {
    const newest = readers.reduce((a, b) => (isLater(b.head, a.head) ? b : a))
    yield newest.head
    const { done, value } = newest.rest.next()
    if (done === true) readers.splice(readers.indexOf(newest), 1)
    else newest.head = value
  }
}
