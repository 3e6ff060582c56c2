import type { Item, Layers } from './layers.ts'
import type { Measures, Point } from './measures.ts'

/** A line of the map: how it is drawn, and where its number stands. */
export interface Route {
  /** For the attribute `d` of an SVG path. */
  readonly path: string
  readonly label: Point
  /** How far to the right it reaches. */
  readonly right: number
}

/** Lines end at this share of the height of a node, so that their ends can be told apart. */
const PORTS = 0.6
/** Where on a piece of its line a number may stand: in the middle, unless another number is there. */
const LABEL_PLACES = [0.5, 0.38, 0.62, 0.26, 0.74] as const
/** Numbers stand at least about this far from each other. */
const LABEL_ROOM = { width: 40, height: 22 } as const

export function routesOf(
  { paths }: Layers,
  places: ReadonlyMap<Item, Point>,
  measures: Measures,
): Map<string, Route> {
  const place = (item: Item): Point => places.get(item) ?? { x: 0, y: 0 }
  const drawing = { measures, isFree: freePlaces() }
  const ports = portsOf(paths, place, measures)
  const routes = new Map<string, Route>()
  for (const [id, path] of paths) {
    const points = path.map(place)
    const [start, end] = [points[0], points.at(-1)]
    const port = ports.get(id)
    if (start === undefined || end === undefined || port === undefined) continue
    const ends = [
      { x: start.x, y: port.first },
      { x: end.x, y: port.last },
    ] as const
    const route =
      start.x === end.x ? bow(ends, drawing) : across([ends[0], ...points.slice(1, -1), ends[1]], drawing)
    routes.set(id, route)
  }
  return routes
}

interface Drawing {
  readonly measures: Measures
  isFree(place: Point): boolean
}

/** From column to column, level at every end and wherever it passes a column. */
function across(points: readonly Point[], { measures: { nodeWidth }, isFree }: Drawing): Route {
  const pieces = points.slice(1).map((to, index) => {
    const from = points[index] ?? to
    return { x1: from.x + nodeWidth, y1: from.y, x2: to.x, y2: to.y }
  })
  const path = pieces.map(({ x1, y1, x2, y2 }, index) => {
    const half = (x1 + x2) / 2
    return `${index === 0 ? 'M' : 'L'}${x1} ${y1}C${half} ${y1} ${half} ${y2} ${x2} ${y2}`
  })
  const choices = pieces.flatMap((piece) => LABEL_PLACES.map((share) => pointOn(piece, share)))
  return {
    path: path.join(''),
    label: choices.find(isFree) ?? choices[0] ?? { x: 0, y: 0 },
    right: points.at(-1)?.x ?? 0,
  }
}

/** Where a curve with level ends is at a share of its way. */
function pointOn({ x1, y1, x2, y2 }: Record<'x1' | 'y1' | 'x2' | 'y2', number>, share: number): Point {
  const rest = 1 - share
  const half = (x1 + x2) / 2
  const [start, middle, end] = [rest ** 3, 3 * rest * share, share ** 3]
  return {
    x: Math.round(start * x1 + middle * half + end * x2),
    y: Math.round((start + middle * rest) * y1 + (middle * share + end) * y2),
  }
}

/** Between two nodes of one column: out to the right and back. */
function bow(
  [from, to]: readonly [Point, Point],
  { measures: { nodeWidth, columnGap }, isFree }: Drawing,
): Route {
  const [x, y1, y2] = [from.x + nodeWidth, from.y, to.y]
  const out = Math.min(columnGap * 0.9, 36 + Math.abs(y1 - y2) / 5)
  const choices = [0.75, 0.7, 0.8].map((share) => ({
    x: Math.round(x + out * share),
    y: Math.round((y1 + y2) / 2),
  }))
  return {
    path: `M${x} ${y1}C${x + out} ${y1} ${x + out} ${y2} ${x} ${y2}`,
    label: choices.find(isFree) ?? choices[0] ?? { x, y: y1 },
    // Its number stands at the outermost place, and half of that beyond it.
    right: Math.ceil(x + out * 0.75 + LABEL_ROOM.width / 2),
  }
}

interface Ends {
  first: number
  last: number
}

/** At which height each line begins and ends: at each side of a node in the order of where the lines come from. */
function portsOf(
  paths: Layers['paths'],
  place: (item: Item) => Point,
  { nodeHeight }: Measures,
): ReadonlyMap<string, Ends> {
  const ports = new Map<string, Ends>()
  const sides = new Map<
    string,
    { readonly port: Ends; readonly end: keyof Ends; readonly towards: number }[]
  >()
  for (const [id, path] of paths) {
    const [first, second, beforeLast, last] = [path[0], path[1], path.at(-2), path.at(-1)]
    if (first === undefined || second === undefined || beforeLast === undefined || last === undefined)
      continue
    const port = { first: place(first).y, last: place(last).y }
    ports.set(id, port)
    const lastSide = place(first).x === place(last).x ? 'right' : 'left'
    const begins = { port, end: 'first', towards: place(second).y } as const
    const ends = { port, end: 'last', towards: place(beforeLast).y } as const
    for (const [side, end] of [
      [`right ${first.key}`, begins],
      [`${lastSide} ${last.key}`, ends],
    ] as const)
      if (sides.get(side)?.push(end) === undefined) sides.set(side, [end])
  }
  for (const ends of sides.values()) {
    // The sort keeps the order of the lines where they come from one place.
    ends.sort((a, b) => a.towards - b.towards)
    const step = Math.min(14, (nodeHeight * PORTS) / ends.length)
    for (const [index, { port, end }] of ends.entries())
      port[end] = Math.round(port[end] + (index - (ends.length - 1) / 2) * step)
  }
  return ports
}

/** Remembers where numbers stand already; a place is taken by asking for it, if it is free. */
function freePlaces(): (place: Point) => boolean {
  const taken = new Set<number>()
  const cell = (column: number, row: number): number => column * 1_000_000 + row
  return ({ x, y }) => {
    const [column, row] = [Math.round(x / LABEL_ROOM.width), Math.round(y / LABEL_ROOM.height)]
    const near = [
      cell(column, row),
      cell(column - 1, row),
      cell(column + 1, row),
      cell(column, row - 1),
      cell(column, row + 1),
    ]
    if (near.some((one) => taken.has(one))) return false
    taken.add(cell(column, row))
    return true
  }
}
