import { comparePlaces, type Place, type PlaceOrder } from './place-order.ts'

/** A list in order, and how far it was read. */
interface Reader<P extends Place> {
  readonly order: PlaceOrder<P>
  index: number
  head: P
}

/**
 * What stands in several lists, all in one order. Only as much of each list is looked at as is taken: the heads of
 * the lists wait in a heap.
 */
export function* mergeOrders<P extends Place>(orders: Iterable<PlaceOrder<P>>): Iterable<P> {
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

/** Lets a reader sink below those whose heads stand before its own. */
function sink<P extends Place>(heap: Reader<P>[], from: number): void {
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

function isBefore(a: Reader<Place> | undefined, b: Reader<Place> | undefined): boolean {
  return a !== undefined && b !== undefined && comparePlaces(a.head, b.head) < 0
}
