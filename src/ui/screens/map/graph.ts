/** The repositories of the map and the pairs of them that have contracts, and the part of it that is looked at. */

export interface Node {
  readonly id: string
}

/** A pair of repositories, in no order. */
export interface Pair {
  readonly id: string
  readonly a: string
  readonly b: string
}

export interface Graph<Repo extends Node, Edge extends Pair> {
  readonly nodes: readonly Repo[]
  readonly edges: readonly Edge[]
}

/** How far from the own repositories one looks: pairs away, or everything. */
export const REACHES = ['1', '2', 'all'] as const
export type Reach = (typeof REACHES)[number]

/** A picture of more than this is not read any more; then groups take the place of repositories. */
export const MOST_NODES = 60

/** What is shown unless one says otherwise: two steps, or one where two lead too far. */
export function usualReach<Repo extends Node, Edge extends Pair>(
  graph: Graph<Repo, Edge>,
  centres: readonly string[],
): Reach {
  if (centres.length === 0) return 'all'
  return within(graph, centres, '2').nodes.length <= MOST_NODES ? '2' : '1'
}

/** What is at most so many pairs away from the centres; the pairs between what is shown are all of it. */
export function within<Repo extends Node, Edge extends Pair>(
  graph: Graph<Repo, Edge>,
  centres: readonly string[],
  reach: Reach,
): Graph<Repo, Edge> {
  if (reach === 'all') return graph
  const near = new Set(centres)
  for (let step = 0; step < Number(reach); step++) {
    const known = new Set(near)
    for (const { a, b } of graph.edges) {
      if (known.has(a)) near.add(b)
      if (known.has(b)) near.add(a)
    }
  }
  return {
    nodes: graph.nodes.filter(({ id }) => near.has(id)),
    edges: graph.edges.filter(({ a, b }) => near.has(a) && near.has(b)),
  }
}
