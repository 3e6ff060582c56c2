/** The position of the first element after this sequence number, in a list sorted by it. */
export function positionAfter(seq: number, order: readonly { readonly seq: number }[]): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((order[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
