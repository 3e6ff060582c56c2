/** A sorted list and its first unread value. */
interface Reader<Value> {
  readonly rest: Iterator<Value>
  head: Value
}

/**
 * The values of several sorted lists in one order. Only as much of each list is read as is consumed: the first unread
 * values of the lists are in a heap.
 */
export function* mergeSorted<Value>(
  lists: Iterable<Iterable<Value>>,
  isBefore: (a: Value, b: Value) => boolean,
): Iterable<Value> {
  const heap: Reader<Value>[] = []
  for (const list of lists) {
    const rest = list[Symbol.iterator]()
    const { done, value } = rest.next()
    if (done !== true) heap.push({ rest, head: value })
  }
  for (let at = (heap.length >>> 1) - 1; at >= 0; at--) sink(heap, at, isBefore)
  for (let reader = heap[0]; reader !== undefined; reader = heap[0]) {
    yield reader.head
    const { done, value } = reader.rest.next()
    if (done !== true) reader.head = value
    else {
      const last = heap.pop()
      if (last !== undefined && last !== reader) heap[0] = last
    }
    sink(heap, 0, isBefore)
  }
}

/** Restores the heap below a reader whose head has changed. */
function sink<Value>(heap: Reader<Value>[], from: number, isBefore: (a: Value, b: Value) => boolean): void {
  for (let at = from; ; ) {
    let first = at
    for (const child of [2 * at + 1, 2 * at + 2]) {
      const [one, other] = [heap[child], heap[first]]
      if (one !== undefined && other !== undefined && isBefore(one.head, other.head)) first = child
    }
    const [above, below] = [heap[at], heap[first]]
    if (first === at || above === undefined || below === undefined) return
    heap[at] = below
    heap[first] = above
    at = first
  }
}
