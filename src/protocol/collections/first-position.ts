/** The first position in a sorted list that does not come before what is looked for; by bisection. */
export function firstPosition(length: number, isBefore: (position: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(middle)) low = middle + 1
    else high = middle
  }
  return low
}
