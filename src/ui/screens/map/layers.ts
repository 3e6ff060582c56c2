/** Puts what is to be drawn into columns, in an order in which few lines cross. */

/** A node with the column that it belongs to; only the order of the numbers matters. */
export interface LayerNode {
  readonly id: string
  readonly column: number
}

/** A line between two different nodes. It has no direction. */
export interface LayerEdge {
  readonly id: string
  readonly a: string
  readonly b: string
}

/** A node, or the place where a line passes through a column between those of its two nodes. */
export interface Item {
  readonly key: string
  readonly isNode: boolean
  /** Neighbours in the column before, the same column, and the column behind. */
  readonly before: Item[]
  readonly beside: Item[]
  readonly behind: Item[]
  /** Which one it is in its column, from the top. */
  at: number
}

export interface Layers {
  /** Items from the top, column by column. */
  readonly columns: readonly (readonly Item[])[]
  /** The column numbers as they were given, in the order of `columns`. */
  readonly numbers: readonly number[]
  /** The items that a line leads through, from left to right; both in one column for a line within a column. */
  readonly paths: ReadonlyMap<string, readonly Item[]>
}

const SWEEPS = 12

export function layersOf(nodes: readonly LayerNode[], edges: readonly LayerEdge[]): Layers {
  const layers = unordered(nodes, edges)
  untangle(layers.columns)
  return layers
}

/** The same graph gives the same layers, in whatever order its parts are given. */
function unordered(nodes: readonly LayerNode[], edges: readonly LayerEdge[]) {
  const numbers = [...new Set(nodes.map(({ column }) => column))].sort((a, b) => a - b)
  const columns: Item[][] = numbers.map(() => [])
  const add = (column: number, key: string, isNode: boolean): Item => {
    const row = columns[column] ?? []
    const item = { key, isNode, before: [], beside: [], behind: [], at: row.length }
    row.push(item)
    return item
  }
  const found = new Map<string, { item: Item; column: number }>()
  for (const { id, column: number } of byId(nodes)) {
    const column = numbers.indexOf(number)
    found.set(id, { item: add(column, id, true), column })
  }
  const paths = new Map<string, readonly Item[]>()
  for (const { id, a, b } of byId(edges)) {
    const [one, other] = [found.get(a), found.get(b)]
    if (one === undefined || other === undefined || one === other) continue
    const isFirst = one.column === other.column ? a < b : one.column < other.column
    const [left, right] = isFirst ? [one, other] : [other, one]
    const path = [left.item]
    for (let column = left.column + 1; column < right.column; column++) path.push(add(column, id, false))
    path.push(right.item)
    connect(path, left.column === right.column)
    paths.set(id, path)
  }
  // By name, so that no order is kept in which more lines cross than in that of the names.
  for (const column of columns) number(column.sort((a, b) => (a.key < b.key ? -1 : 1)))
  return { columns, numbers, paths }
}

const byId = <Part extends { readonly id: string }>(parts: readonly Part[]): Part[] =>
  [...parts].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))

function connect(path: readonly Item[], isWithinColumn: boolean): void {
  for (const [index, item] of path.entries()) {
    const next = path[index + 1]
    if (next === undefined) return
    if (isWithinColumn) {
      item.beside.push(next)
      next.beside.push(item)
    } else {
      item.behind.push(next)
      next.before.push(item)
    }
  }
}

/** Sweeps to and fro: each column is sorted by the middle of its neighbours, and the best order of all is kept. */
function untangle(columns: readonly Item[][]): void {
  let best = { crossings: crossingsOf(columns), order: columns.map((column) => [...column]) }
  for (let sweep = 0; sweep < SWEEPS && best.crossings > 0; sweep++) {
    const isForward = sweep % 2 === 0
    for (const column of isForward ? columns : columns.toReversed())
      sortByNeighbours(column, columns, isForward)
    const crossings = crossingsOf(columns)
    if (crossings < best.crossings) best = { crossings, order: columns.map((column) => [...column]) }
  }
  for (const [index, order] of best.order.entries()) columns[index]?.splice(0, order.length, ...order)
  for (const column of columns) number(column)
}

function number(column: readonly Item[]): void {
  for (const [at, item] of column.entries()) item.at = at
}

function sortByNeighbours(column: Item[], columns: readonly Item[][], isForward: boolean): void {
  const index = columns.indexOf(column)
  const next = (isForward ? columns[index - 1] : columns[index + 1])?.length ?? 1
  const middles = column.map((item) => {
    const near = isForward ? item.before : item.behind
    const count = near.length + item.beside.length
    if (count === 0) return (item.at + 0.5) / column.length
    const sum =
      near.reduce((total, { at }) => total + (at + 0.5) / next, 0) +
      item.beside.reduce((total, { at }) => total + (at + 0.5) / column.length, 0)
    return sum / count
  })
  column.sort((a, b) => (middles[a.at] ?? 0) - (middles[b.at] ?? 0) || a.at - b.at)
  number(column)
}

/** How often lines between neighbouring columns cross. */
export function crossingsOf(columns: readonly (readonly Item[])[]): number {
  return columns.reduce((total, column, index) => total + crossingsBehind(column, columns[index + 1]), 0)
}

/** Counts, for the lines from the top, those that ended further down before: a tree of sums finds them fast. */
function crossingsBehind(column: readonly Item[], next: readonly Item[] | undefined): number {
  if (next === undefined) return 0
  const sums = new Uint32Array(next.length + 1)
  let [drawn, crossings] = [0, 0]
  for (const { behind } of column) {
    const ends = behind.map(({ at }) => at).sort((a, b) => a - b)
    for (const end of ends) {
      let notBelow = 0
      for (let node = end + 1; node > 0; node -= node & -node) notBelow += sums[node] ?? 0
      crossings += drawn - notBelow
    }
    for (const end of ends)
      for (let node = end + 1; node <= next.length; node += node & -node) sums[node] = (sums[node] ?? 0) + 1
    drawn += ends.length
  }
  return crossings
}
