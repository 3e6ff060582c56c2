import { compareSortKeys, type SortedEntries, type SortKey } from '../sorted-entries.ts'

/** A sorted list and how far it was read. */
interface Reader<P extends SortKey> {
  readonly order: SortedEntries<P>
  index: number
  head: P
}

/**
 * The entries of several sorted lists in one order. Only as much of each list is read as is consumed: the first
 * unread entries of the lists are in a heap.
 */
export function* mergeSorted<P extends SortKey>(orders: Iterable<SortedEntries<P>>): Iterable<P> {
  const heap: Reader<P>[] = []
  for (const order of orders) {
    const head = order.at(0)
    if (head !== undefined) heap.push({ order, index: 0, head })
  }
  for (let at = (heap.length >>> 1) - 1; at >= 0; at--) sink(heap, at)
  for (let reader = heap[0]; reader !== undefined; reader = heap[0]) {
    yield reader.head
    const head = reader.order.at(++reader.index)
    if (head !== undefined) reader.head = head
    else {
      const last = heap.pop()
      if (last !== undefined && last !== reader) heap[0] = last
    }
    sink(heap, 0)
  }
}

/** Restores the heap below a reader whose head has changed. */
function sink<P extends SortKey>(heap: Reader<P>[], from: number): void {
  for (let at = from; ; ) {
    let first = at
    for (const child of [2 * at + 1, 2 * at + 2]) if (isBefore(heap[child], heap[first])) first = child
    const [above, below] = [heap[at], heap[first]]
    if (first === at || above === undefined || below === undefined) return
    heap[at] = below
    heap[first] = above
    at = first
  }
}

function isBefore(a: Reader<SortKey> | undefined, b: Reader<SortKey> | undefined): boolean {
  return a !== undefined && b !== undefined && compareSortKeys(a.head, b.head) < 0
}
