import { type Graph, MOST_NODES, type Node, type Pair } from './graph.ts'
import { columnOf } from './roles.ts'
import { add, type Counts } from './state.ts'

export interface RepoNode extends Node {
  readonly name: string
  readonly role: string
  readonly projectId: string
  readonly isOwn: boolean
}

export interface RepoPair extends Pair {
  readonly counts: Counts
  /** When one of their contracts changed last. */
  readonly newest: string
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

/** So many of an opened group are shown: those with the most contracts. */
export const MOST_MEMBERS = 40

/**
 * What is drawn: the repositories themselves while they are few, else groups by project and role, of which some are
 * opened. The own repositories always stand for themselves.
 */
export function drawnOf<Repo extends RepoNode>(
  graph: Graph<Repo, RepoPair>,
  opened: ReadonlySet<string>,
): Graph<Drawn<Repo>, RepoPair> {
  if (graph.nodes.length <= MOST_NODES)
    return { nodes: graph.nodes.map((repo) => single(repo, undefined)), edges: graph.edges }
  const drawnAs = new Map<string, string>()
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
    for (const repo of rest) drawnAs.set(repo.id, restId)
  }
  return { nodes, edges: merged(graph.edges, (id) => drawnAs.get(id) ?? id) }
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
  for (const { a, b, counts } of edges)
    for (const id of [a, b])
      contracts.set(
        id,
        (contracts.get(id) ?? 0) + Object.values(counts).reduce((sum, count) => sum + count, 0),
      )
  return contracts
}

function busiestFirst<Repo extends RepoNode>(
  repos: readonly Repo[],
  contracts: ReadonlyMap<string, number>,
): Repo[] {
  const count = ({ id }: Repo): number => contracts.get(id) ?? 0
  return [...repos].sort((a, b) => count(b) - count(a) || (a.id < b.id ? -1 : 1))
}

/** The pairs between what is drawn: each once, with everything that it stands for. What is within a group is not seen. */
function merged(edges: readonly RepoPair[], drawnAs: (id: string) => string): readonly RepoPair[] {
  const pairs = new Map<string, RepoPair>()
  for (const { counts, newest, ...edge } of edges) {
    const [a, b] = [drawnAs(edge.a), drawnAs(edge.b)].sort() as [string, string]
    if (a === b) continue
    const id = JSON.stringify([a, b])
    const before = pairs.get(id)
    pairs.set(id, {
      id,
      a,
      b,
      counts: before === undefined ? counts : add(before.counts, counts),
      newest: before !== undefined && before.newest > newest ? before.newest : newest,
    })
  }
  return [...pairs.values()]
}
