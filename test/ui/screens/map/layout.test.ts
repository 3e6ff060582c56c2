import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  crossingsOf,
  type LayerEdge,
  type LayerNode,
  layersOf,
} from '../../../../src/ui/screens/map/layers.ts'
import { type Layout, layOut } from '../../../../src/ui/screens/map/layout.ts'
import { NARROW, WIDE } from '../../../../src/ui/screens/map/measures.ts'
import { spread } from '../../../../src/ui/screens/map/spread.ts'

interface Graph {
  readonly nodes: readonly LayerNode[]
  readonly edges: readonly LayerEdge[]
}

const graphs: fc.Arbitrary<Graph> = fc.integer({ min: 1, max: 40 }).chain((count) =>
  fc.record({
    nodes: fc
      .array(fc.integer({ min: 0, max: 3 }), { minLength: count, maxLength: count })
      .map((columns) => columns.map((column, index) => ({ id: `repo ${index}`, column }))),
    edges: fc
      .uniqueArray(fc.tuple(fc.nat(count - 1), fc.nat(count - 1)), {
        maxLength: 80,
        selector: ([a, b]) => `${Math.min(a, b)} ${Math.max(a, b)}`,
      })
      .map((pairs) =>
        pairs
          .filter(([a, b]) => a !== b)
          .map(([a, b]) => ({ id: `${Math.min(a, b)} ${Math.max(a, b)}`, a: `repo ${a}`, b: `repo ${b}` })),
      ),
  }),
)

const shown = ({ nodes, edges, ...rest }: Layout) => ({
  ...rest,
  nodes: [...nodes].sort(),
  edges: [...edges].sort(),
})

describe('the map', () => {
  test('is the same picture for the same graph, in whatever order its parts come', () => {
    const shuffled = graphs.chain((graph) =>
      fc.record({
        graph: fc.constant(graph),
        nodes: fc.shuffledSubarray([...graph.nodes], { minLength: graph.nodes.length }),
        edges: fc.shuffledSubarray([...graph.edges], { minLength: graph.edges.length }),
      }),
    )
    fc.assert(
      fc.property(shuffled, ({ graph, nodes, edges }) => {
        const turned = edges.map(({ id, a, b }) => ({ id, a: b, b: a }))
        expect(shown(layOut(nodes, turned))).toEqual(shown(layOut(graph.nodes, graph.edges)))
      }),
    )
  })

  test('has every repository in the column of its role, inside the picture, and none over another', () => {
    fc.assert(
      fc.property(graphs, fc.constantFrom(WIDE, NARROW), ({ nodes, edges }, measures) => {
        const { width, height, columns, nodes: places } = layOut(nodes, edges, measures)
        const lefts = new Map(columns.map(({ number, x }) => [number, x]))
        expect(columns.map(({ x }) => x)).toEqual(columns.map(({ x }) => x).sort((a, b) => a - b))
        const seen = nodes.map(({ id, column }) => {
          const place = places.get(id)
          expect(place?.x).toBe(lefts.get(column))
          return { column, x: place?.x ?? -1, y: place?.y ?? -1 }
        })
        for (const { x, y } of seen) {
          expect(x >= 0 && x + measures.nodeWidth <= width).toBe(true)
          expect(y >= measures.heading && y + measures.nodeHeight <= height).toBe(true)
        }
        for (const { number } of columns) {
          const ys = seen.filter(({ column }) => column === number).map(({ y }) => y)
          ys.sort((a, b) => a - b)
          for (const [index, y] of ys.entries())
            if (index > 0) expect(y - (ys[index - 1] ?? 0)).toBeGreaterThanOrEqual(measures.nodeHeight)
        }
      }),
    )
  })

  test('draws every line, and never through a repository that it only passes', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        const { edges: routes, nodes: places } = layOut(nodes, edges)
        expect([...routes.keys()].sort()).toEqual(edges.map(({ id }) => id).sort())
        for (const { id, a, b } of edges) {
          const route = routes.get(id)
          expect(route?.path).toMatch(/^M[\d .-]+C/)
          // Between two curves a line is level: from the left side of a column to its right side.
          for (const [, x = '', y = ''] of route?.path.matchAll(/([\d.-]+) ([\d.-]+)L/g) ?? [])
            for (const [other, corner] of places) {
              const isUnder = Number(y) > corner.y && Number(y) < corner.y + WIDE.nodeHeight
              if (other !== a && other !== b && corner.x === Number(x)) expect(isUnder).toBe(false)
            }
        }
      }),
    )
  })

  test('never has more crossings than the order of names would have', () => {
    fc.assert(
      fc.property(graphs, ({ nodes, edges }) => {
        const { columns } = layersOf(nodes, edges)
        const byName = columns.map((column) => [...column].sort((a, b) => (a.key < b.key ? -1 : 1)))
        const found = crossingsOf(columns)
        for (const column of byName) for (const [at, item] of column.entries()) item.at = at
        expect(found).toBeLessThanOrEqual(crossingsOf(byName))
      }),
    )
  })

  test('untangles lines that need not cross', () => {
    const nodes = ['a', 'b', 'c'].flatMap((name, index) => [
      { id: `left ${name}`, column: 0 },
      { id: `right ${2 - index}`, column: 1 },
    ])
    const edges = ['a', 'b', 'c'].map((name, index) => ({
      id: name,
      a: `left ${name}`,
      b: `right ${2 - index}`,
    }))
    expect(crossingsOf(layersOf(nodes, edges).columns)).toBe(0)
  })

  test('of nothing is an empty picture', () => {
    expect(layOut([], [])).toMatchObject({ columns: [], nodes: new Map(), edges: new Map() })
  })
})

describe('places in a column', () => {
  test('keep their order and their distances, and stand where they should if nothing is in the way', () => {
    const columns = fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 60 })), {
      minLength: 1,
      maxLength: 30,
    })
    fc.assert(
      fc.property(columns, (column) => {
        const wanted = column.map(([place]) => place)
        const distances = column.map(([, distance]) => distance)
        const found = spread(wanted, distances)
        for (const [index, place] of found.entries())
          if (index > 0)
            expect(place - (found[index - 1] ?? 0)).toBeGreaterThanOrEqual((distances[index - 1] ?? 0) - 1e-9)
        // Moved as a whole, they would be no better placed.
        const off = found.reduce((sum, place, index) => sum + place - (wanted[index] ?? 0), 0)
        expect(Math.abs(off)).toBeLessThan(1e-6)
      }),
    )
    expect(spread([0, 100, 300], [50, 50, 50])).toEqual([0, 100, 300])
    expect(spread([10, 10], [20, 0])).toEqual([0, 20])
  })
})
