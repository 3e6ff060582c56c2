import { type Graph, MOST_NODES, type Node } from './graph.ts'
import { mergePairs, type RepoPair } from './pairs.ts'
import { columnOf } from './roles.ts'
import { total } from './state.ts'

export interface RepoNode extends Node {
  readonly name: string
  readonly role: string
  readonly projectId: string
  readonly isOwn: boolean
}

/** Repositories that the map shows as one. */
export interface Group extends Node {
  readonly is: 'group'
  readonly projectId: string
  readonly column: number
  readonly members: number
  /** Those beyond what an opened group shows; they cannot be opened further. */
  readonly isRest: boolean
}

export interface Single<Repo> extends Node {
  readonly is: 'repo'
  readonly column: number
  readonly repo: Repo
  /** The opened group that it belongs to. */
  readonly of: string | undefined
}

export type Drawn<Repo> = Group | Single<Repo>

export interface DrawnGraph<Repo> extends Graph<Drawn<Repo>, RepoPair> {
  /** As what a repository is drawn: itself, or a group. */
  drawnAs(repoId: string): string
}

/** So many of an opened group are shown: those with the most contracts. */
export const MOST_MEMBERS = 40

/**
 * What is drawn: the repositories themselves while they are few, else groups by project and role, of which some are
 * opened. The own repositories always stand for themselves.
 */
export function drawnOf<Repo extends RepoNode>(
  graph: Graph<Repo, RepoPair>,
  opened: ReadonlySet<string>,
): DrawnGraph<Repo> {
  if (graph.nodes.length <= MOST_NODES)
    return {
      nodes: graph.nodes.map((repo) => single(repo, undefined)),
      edges: graph.edges,
      drawnAs: (id) => id,
    }
  const groupOf = new Map<string, string>()
  const nodes: Drawn<Repo>[] = []
  const groups = groupsOf(graph.nodes.filter(({ isOwn }) => !isOwn))
  for (const repo of graph.nodes) if (repo.isOwn) nodes.push(single(repo, undefined))
  const contracts = contractsOf(graph)
  for (const [id, { members, ...group }] of groups) {
    const shown = opened.has(id) ? busiestFirst(members, contracts).slice(0, MOST_MEMBERS) : []
    for (const repo of shown) nodes.push(single(repo, id))
    const rest = members.filter((repo) => !shown.includes(repo))
    if (rest.length === 0) continue
    const restId = shown.length === 0 ? id : `${id} rest`
    nodes.push({ is: 'group', id: restId, ...group, members: rest.length, isRest: shown.length > 0 })
    for (const repo of rest) groupOf.set(repo.id, restId)
  }
  const drawnAs = (id: string): string => groupOf.get(id) ?? id
  return { nodes, edges: mergePairs(graph.edges, drawnAs), drawnAs }
}

const single = <Repo extends RepoNode>(repo: Repo, of: string | undefined): Single<Repo> => ({
  is: 'repo',
  id: repo.id,
  column: columnOf(repo.role),
  repo,
  of,
})

interface Members<Repo> {
  readonly projectId: string
  readonly column: number
  readonly members: Repo[]
}

/** By project and column; by column alone where that would again be too many. */
function groupsOf<Repo extends RepoNode>(repos: readonly Repo[]): ReadonlyMap<string, Members<Repo>> {
  const collect = (projectOf: (repo: Repo) => string): Map<string, Members<Repo>> => {
    const groups = new Map<string, Members<Repo>>()
    for (const repo of repos) {
      const [projectId, column] = [projectOf(repo), columnOf(repo.role)]
      const id = `group ${projectId} ${column}`
      const group = groups.get(id) ?? { projectId, column, members: [] }
      groups.set(id, group)
      group.members.push(repo)
    }
    return groups
  }
  const fine = collect(({ projectId }) => projectId)
  return fine.size <= MOST_NODES ? fine : collect(() => '')
}

function contractsOf({ edges }: Graph<RepoNode, RepoPair>): ReadonlyMap<string, number> {
  const contracts = new Map<string, number>()
  for (const { a, b, standing } of edges)
    for (const id of [a, b]) contracts.set(id, (contracts.get(id) ?? 0) + total(standing))
  return contracts
}

function busiestFirst<Repo extends RepoNode>(
  repos: readonly Repo[],
  contracts: ReadonlyMap<string, number>,
): Repo[] {
  const count = ({ id }: Repo): number => contracts.get(id) ?? 0
  return [...repos].sort((a, b) => count(b) - count(a) || (a.id < b.id ? -1 : 1))
}
