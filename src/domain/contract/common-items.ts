// The page in the browser shares this file: it must reach no package and no `node:`.

/** The places of an item in both lists. */
export type Match = readonly [before: number, after: number]

/** How many pairs of items may still be compared; what two lists begin and end with costs nothing. */
export interface PairBudget {
  left: number
}

/** The longest common part of two lists; of lists that are too long only what they begin and end with. */
export function commonItems<Item>(
  a: readonly Item[],
  b: readonly Item[],
  budget: PairBudget,
): readonly Match[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const head: Match[] = Array.from({ length: start }, (_, at) => [at, at])
  const tail: Match[] = Array.from({ length: end }, (_, at) => [a.length - end + at, b.length - end + at])
  const [innerA, innerB] = [a.slice(start, a.length - end), b.slice(start, b.length - end)]
  const cost = innerA.length * innerB.length
  if (cost > budget.left) return [...head, ...tail]
  budget.left -= cost
  return [...head, ...longestCommon(innerA, innerB).map(([x, y]): Match => [x + start, y + start]), ...tail]
}

function longestCommon<Item>(a: readonly Item[], b: readonly Item[]): readonly Match[] {
  const width = b.length + 1
  const lengths = new Uint32Array((a.length + 1) * width)
  const at = (x: number, y: number): number => lengths[x * width + y] ?? 0
  for (let x = a.length - 1; x >= 0; x--)
    for (let y = b.length - 1; y >= 0; y--)
      lengths[x * width + y] = a[x] === b[y] ? at(x + 1, y + 1) + 1 : Math.max(at(x + 1, y), at(x, y + 1))
  const found: Match[] = []
  for (let x = 0, y = 0; x < a.length && y < b.length; )
    if (a[x] === b[y]) found.push([x++, y++])
    else if (at(x + 1, y) >= at(x, y + 1)) x++
    else y++
  return found
}
