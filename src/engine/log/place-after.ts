/** Where what comes after this seq begins, in a list that is in the order of seq. */
export function placeAfter(seq: number, order: readonly { readonly seq: number }[]): number {
  let low = 0
  let high = order.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((order[middle]?.seq ?? 0) <= seq) low = middle + 1
    else high = middle
  }
  return low
}
