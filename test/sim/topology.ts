import type { Dice } from './dice.ts'

export type Edge = readonly [number, number]

/** Who knows whom: always connected, rarely complete. */
export function drawTopology(count: number, dice: Dice): { shape: string; edges: Edge[] } {
  const nodes = Array.from({ length: count }, (_, index) => index)
  const line = nodes.slice(1).map((node): Edge => [node - 1, node])
  const shape = dice.pick(['line', 'ring', 'star', 'random'])
  switch (shape) {
    case 'line':
      return { shape, edges: line }
    case 'ring':
      return { shape, edges: count > 2 ? [...line, [0, count - 1]] : line }
    case 'star':
      return { shape, edges: nodes.slice(1).map((node) => [0, node]) }
    default: {
      const tree = nodes.slice(1).map((node): Edge => [dice.between(0, node - 1), node])
      const more = nodes.flatMap((a) => nodes.slice(a + 1).map((b): Edge => [a, b]))
      return { shape, edges: [...tree, ...more.filter((edge) => !has(tree, edge) && dice.chance(0.3))] }
    }
  }
}

const has = (edges: readonly Edge[], [a, b]: Edge) => edges.some(([x, y]) => x === a && y === b)

/** Groups of the given nodes that reach each other through nodes among them. */
export function components(nodes: ReadonlySet<number>, edges: readonly Edge[]): number[][] {
  const left = new Set(nodes)
  const groups: number[][] = []
  for (const first of nodes) {
    if (!left.delete(first)) continue
    const group = [first]
    for (const node of group)
      for (const [a, b] of edges) {
        const other = a === node ? b : b === node ? a : undefined
        if (other !== undefined && left.delete(other)) group.push(other)
      }
    groups.push(group)
  }
  return groups
}
