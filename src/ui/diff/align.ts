import { canonical, isFields, type JsonValue } from '../json/value.ts'

/** Items of two lists that belong together; one is undefined where an item was added or removed. */
export interface Pair {
  readonly before?: JsonValue
  readonly after?: JsonValue
}

/** Fields by which the items of a list are usually told apart. */
const NAMES = ['id', 'name', 'key', 'path']

/** Pairs the items of two lists: by their names where all have one, else those that are equal, and the rest in order. */
export function alignLists(before: readonly JsonValue[], after: readonly JsonValue[]): readonly Pair[] {
  const field = NAMES.find((name) => isNamedBy(name, before) && isNamedBy(name, after))
  if (field !== undefined) {
    const nameOf = (item: JsonValue) => canonical(isFields(item) ? (item[field] ?? null) : null)
    return gaps(before, after, commonItems(before.map(nameOf), after.map(nameOf)), false)
  }
  return gaps(before, after, commonItems(before.map(canonical), after.map(canonical)), true)
}

/** Whether each item has this field, with another text or number. */
function isNamedBy(field: string, items: readonly JsonValue[]): boolean {
  const names = items.map((item) => (isFields(item) ? item[field] : undefined))
  return (
    names.every((name) => typeof name === 'string' || typeof name === 'number') &&
    new Set(names).size === items.length
  )
}

type Match = readonly [before: number, after: number]

/** Fills what is between the matches: as changed items where `isPaired`, else as removed and added ones. */
function gaps(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  matches: readonly Match[],
  isPaired: boolean,
): readonly Pair[] {
  const pairs: Pair[] = []
  let [i, j] = [0, 0]
  for (const [x, y] of [...matches, [before.length, after.length] as const]) {
    while (isPaired && i < x && j < y) pairs.push(pairOf(before[i++], after[j++]))
    while (i < x) pairs.push(pairOf(before[i++], undefined))
    while (j < y) pairs.push(pairOf(undefined, after[j++]))
    if (i < before.length && j < after.length) pairs.push(pairOf(before[i++], after[j++]))
  }
  return pairs
}

const pairOf = (before: JsonValue | undefined, after: JsonValue | undefined): Pair => ({
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
})

/** Most comparisons; longer lists are paired in order, apart from what they begin and end with. */
const MOST_CELLS = 1_000_000

/** The longest common part of two lists of texts, as places in both. */
export function commonItems(a: readonly string[], b: readonly string[]): readonly Match[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++
  const head: Match[] = Array.from({ length: start }, (_, at) => [at, at])
  const tail: Match[] = Array.from({ length: end }, (_, at) => [a.length - end + at, b.length - end + at])
  const middle = longestCommon(a.slice(start, a.length - end), b.slice(start, b.length - end))
  return [...head, ...middle.map(([x, y]): Match => [x + start, y + start]), ...tail]
}

function longestCommon(a: readonly string[], b: readonly string[]): readonly Match[] {
  if (a.length * b.length > MOST_CELLS) return []
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
