import { type Item, type LayerEdge, type LayerNode, type Layers, layersOf } from './layers.ts'
import { type Measures, type Point, WIDE } from './measures.ts'
import { type Route, routesOf } from './routes.ts'
import { spread } from './spread.ts'

/** Where everything of the map stands, in pixels of the picture. */

export interface Layout {
  readonly width: number
  readonly height: number
  readonly columns: readonly { readonly number: number; readonly x: number }[]
  /** The upper left corners, by ID. */
  readonly nodes: ReadonlyMap<string, Point>
  readonly edges: ReadonlyMap<string, Route>
}

/** Lines that pass a column need less room there than nodes. */
const PASSING_GAP = 7
const ALIGNMENTS = 8

/** The same graph gives the same picture. */
export function layOut(
  nodes: readonly LayerNode[],
  edges: readonly LayerEdge[],
  measures: Measures = WIDE,
): Layout {
  const layers = layersOf(nodes, edges)
  const middles = middlesOf(layers, measures)
  const { nodeWidth, nodeHeight, columnGap, margin, heading } = measures
  const left = (column: number): number => margin + column * (nodeWidth + columnGap)
  const places = new Map<Item, Point>()
  for (const [index, column] of layers.columns.entries())
    for (const item of column) places.set(item, { x: left(index), y: middles.get(item) ?? 0 })
  const corners = [...places].flatMap(([{ isNode, key }, { x, y }]) =>
    isNode ? [[key, { x, y: y - nodeHeight / 2 }] as const] : [],
  )
  const lowest = corners.reduce((most, [, { y }]) => Math.max(most, y + nodeHeight), heading + margin)
  const routes = routesOf(layers, places, measures)
  const lastColumn = left(layers.columns.length - 1) + nodeWidth
  const rightmost = [...routes.values()].reduce((most, { right }) => Math.max(most, right), lastColumn)
  return {
    width: Math.max(0, Math.ceil(rightmost + margin)),
    height: Math.ceil(lowest + margin),
    columns: layers.numbers.map((number, index) => ({ number, x: left(index) })),
    nodes: new Map(corners),
    edges: routes,
  }
}

/** The middle of each item from the top: near its neighbours, so that lines are as level as can be. */
function middlesOf(
  { columns }: Layers,
  { nodeHeight, rowGap, margin, heading }: Measures,
): Map<Item, number> {
  const half = ({ isNode }: Item): number => (isNode ? nodeHeight / 2 : 0)
  const distance = (item: Item, next: Item): number =>
    half(item) + half(next) + (item.isNode && next.isNode ? rowGap : PASSING_GAP)
  const distances = columns.map((column) =>
    column.map((item, index) => distance(item, column[index + 1] ?? item)),
  )
  const middles = new Map<Item, number>()
  const place = (index: number, wanted: (item: Item) => number): void => {
    const column = columns[index] ?? []
    const found = spread(column.map(wanted), distances[index] ?? [])
    for (const [at, item] of column.entries()) middles.set(item, found[at] ?? 0)
  }
  for (const index of columns.keys()) place(index, () => 0)
  for (let pass = 0; pass < ALIGNMENTS; pass++) {
    const isForward = pass % 2 === 0
    for (const index of isForward ? columns.keys() : [...columns.keys()].reverse())
      place(index, (item) => {
        const near = isForward ? item.before : item.behind
        const own = middles.get(item) ?? 0
        return near.length === 0 ? own : mean(near.map((other) => middles.get(other) ?? 0))
      })
  }
  const top = columns
    .flat()
    .reduce((least, item) => Math.min(least, (middles.get(item) ?? 0) - half(item)), Infinity)
  for (const [item, middle] of middles) middles.set(item, Math.round(middle - top) + margin + heading)
  return middles
}

const mean = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0) / numbers.length
