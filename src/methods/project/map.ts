import * as z from 'zod'
import type { Env } from '../../domain/env.ts'
import { maySee, membership, projectOf } from '../../domain/lookup.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { ContractStatus, When } from '../../protocol/words.ts'
import { ContractCounts } from '../contract/list.ts'
import type { ContractIndex, RepoPair } from '../contract/service.ts'
import { countTallies } from '../contract/tallies.ts'
import type { PeerReport } from '../peers/peer.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'

const MOST_REPOS = 2000
const MOST_PAIRS = 3000

const Node = z.object({
  repoId: z.string(),
  projectId: z.string(),
  name: z.string(),
  role: z.string(),
  agentId: z.string().nullable().describe('who holds it'),
  isOwn: z.boolean().describe('the repo that the caller acts for'),
  trust: z.enum(['approved', 'pending', 'revoked']).nullable().describe('null: no peer of this daemon'),
  health: z.string().nullable().describe('of the link to its daemon, as cacp/peer/list tells it'),
  behind: z.int().nullable().describe('statements that its daemon has not got yet; null: not known'),
})

const Edge = z.object({
  projectId: z.string(),
  a: z.string().describe('ID of a repo'),
  b: z.string().describe('ID of the other one'),
  byStatus: ContractCounts,
  conflicts: z.int().describe('how many of them have versions that contradict each other'),
  worst: z
    .enum(['conflict', ...ContractStatus.options])
    .describe('conflict before negotiating, proposed, agreed, implemented and verified'),
  newest: When.describe('when one of them changed last'),
})
type Edge = z.output<typeof Edge>

export const map = method({
  name: 'cacp/project/map',
  summary: 'Show which repositories have contracts with which, and how those stand.',
  ...readsProject,
  params: z.object({
    projectId: AnyProjectWord.optional().describe(
      'ID or name; default: all projects that are not archived, each with repos of its own',
    ),
  }),
  result: z.object({
    nodes: z.array(Node),
    edges: z
      .array(Edge)
      .describe(
        'pairs of repos with contracts that one of them opened and in which both have a say, without those that are over',
      ),
    truncated: z
      .boolean()
      .optional()
      .describe(
        `there are more than ${MOST_REPOS} repos or ${MOST_PAIRS} pairs: those with the most contracts are shown`,
      ),
  }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: {
      nodes: [
        {
          repoId: EXAMPLE.repoId,
          projectId: EXAMPLE.projectId,
          name: 'backend-api',
          role: 'backend',
          agentId: EXAMPLE.agentId,
          isOwn: true,
          trust: null,
          health: null,
          behind: null,
        },
      ],
      edges: [],
    },
  },
}).serve(({ contracts, peers }, { projectId }, { env }) => {
  // A token is for one project, and says nothing about the daemons of others.
  const reports = env.caller.kind === 'token' ? [] : peers.list()
  return contracts.readIndexed((view, index) => {
    const projects = projectId === undefined ? openProjects(view, env) : [projectOf(view, projectId, env)]
    return mapOf(projects, { env, index, peers: new Map(reports.map((one) => [one.agentId, one])) })
  })
})

const openProjects = (view: View, { caller }: Env): readonly ProjectView[] =>
  [...view.projects.oldestFirst()].filter((found) => !found.project.archived && maySee(found, caller))

interface Reading {
  readonly env: Env
  readonly index: ContractIndex
  readonly peers: ReadonlyMap<string, PeerReport>
}

function mapOf(projects: readonly ProjectView[], { env, index, peers }: Reading) {
  const nodes = projects.flatMap((found) => nodesOf(found, env, peers))
  const edges = projects.flatMap(({ project: { project_id: projectId } }) =>
    Array.from(index.pairs(projectId), (pair) => edgeOf(pair, projectId)),
  )
  if (nodes.length <= MOST_REPOS && edges.length <= MOST_PAIRS) return { nodes, edges }
  const shown = nodes.slice(0, MOST_REPOS)
  const ids = new Set(shown.map(({ repoId }) => repoId))
  const among = edges.filter(({ a, b }) => ids.has(a) && ids.has(b))
  const most = among.sort((one, other) => total(other) - total(one)).slice(0, MOST_PAIRS)
  return { nodes: shown, edges: most, truncated: true }
}

function nodesOf(found: ProjectView, env: Env, peers: Reading['peers']): z.output<typeof Node>[] {
  const own = membership(found, env)?.repo.repo_id
  return Array.from(found.repos.oldestFirst(), ({ repo_id, name, role, holder }) => {
    const peer = holder && peers.get(holder.agent_id)
    return {
      repoId: repo_id,
      projectId: found.project.project_id,
      name,
      role,
      agentId: holder?.agent_id ?? null,
      isOwn: repo_id === own,
      trust: peer?.trust ?? null,
      health: peer?.health ?? null,
      behind: peer?.behind ?? null,
    }
  })
}

/** From the worst on. */
const STATUSES = ['negotiating', 'proposed', 'agreed', 'implemented', 'verified'] as const

function edgeOf({ a, b, tallies, newest }: RepoPair, projectId: string): Edge {
  const { byStatus, conflicts } = countTallies(tallies)
  const worst = conflicts > 0 ? 'conflict' : (STATUSES.find((one) => byStatus[one] > 0) ?? 'verified')
  return { projectId, a, b, byStatus, conflicts, worst, newest }
}

const total = ({ byStatus }: Edge): number => STATUSES.reduce((sum, status) => sum + byStatus[status], 0)
