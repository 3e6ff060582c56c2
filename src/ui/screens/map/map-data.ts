import type { ResultOf } from '../../../methods/table.ts'
import type { Graph } from './graph.ts'
import type { RepoNode } from './groups.ts'
import { mergePairs, type RepoPair } from './pairs.ts'

/** What the daemon tells of the repositories of projects and of the pairs of them that have contracts. */
export type MapAnswer = ResultOf<'cacp/project/map'>
type MapNode = MapAnswer['nodes'][number]

export interface MapRepo extends RepoNode, Pick<MapNode, 'agentId' | 'trust' | 'health' | 'behind'> {}

/** A repository that is in several projects is one here: its agent tells that it is the same. */
export function graphOf({ nodes, edges }: Pick<MapAnswer, 'nodes' | 'edges'>): Graph<MapRepo, RepoPair> {
  const idOf = new Map(nodes.map(({ repoId, agentId }) => [repoId, agentId ?? repoId]))
  const repos = new Map<string, MapRepo>()
  for (const { repoId, ...node } of nodes) {
    const id = idOf.get(repoId) ?? repoId
    if (!repos.has(id)) repos.set(id, { ...node, id })
  }
  const pairs = edges.map(({ byStatus, conflicts, ...edge }) => ({
    ...edge,
    standing: { byStatus, conflicts },
  }))
  return { nodes: [...repos.values()], edges: mergePairs(pairs, (id) => idOf.get(id) ?? id) }
}
