import * as z from 'zod'
import type { Env } from '../../domain/env.ts'
import { maySee, projectOf } from '../../domain/lookup.ts'
import { projectStatus } from '../../domain/project/project.ts'
import { isProjectWithin, renderProject, summarizeProject } from '../../domain/render.ts'
import type { ProjectView, View } from '../../domain/view.ts'
import type { RepoEntity } from '../../domain/views/entities.ts'
import { jsonText } from '../../protocol/json/text.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { AnyProjectWord } from '../../protocol/named.ts'
import { utf8Length } from '../../protocol/text/utf8.ts'
import { Flag, listOf, namedShape, ProjectStatus } from '../../protocol/words.ts'
import { ContractCounts } from '../contract/list.ts'
import { countTallies } from '../contract/tallies.ts'
import { pageParams, pageResult, takePage } from '../page.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { ProjectShape } from '../shapes.ts'

const Overview = z.object({
  projectId: z.string(),
  name: z.string(),
  objective: z.string(),
  archived: z.boolean(),
  createdAt: z.string(),
  status: ProjectStatus.optional().describe('only of the one that was asked for'),
  repos: listOf(
    z.object({
      repoId: z.string(),
      name: z.string(),
      role: z.string(),
      agentId: z.string().nullable().describe('who holds it'),
    }),
  ).describe(`at most ${LIMITS.repos}: those that somebody holds come before others`),
  repoCount: z.int(),
  contractCount: z.int(),
  packetCount: z.int(),
  contractsByStatus: ContractCounts.optional().describe('of details, without those that were taken back'),
  conflicts: z.int().optional().describe('of details: contracts with versions that contradict each other'),
  openQuestions: z.int().optional().describe('of details: questions that nothing was decided on'),
})

const OverviewQuery = z.object({
  projectId: AnyProjectWord.optional().describe('ID or name; default: all projects, oldest first'),
  includeArchived: Flag,
  details: Flag.describe(
    'also how many contracts there are of each status, how many conflicts and open questions',
  ),
  ...pageParams,
})
type OverviewQuery = z.output<typeof OverviewQuery>

/** cacp/project/get on a large project returns megabytes; this answer stays small. */
export const overview = method({
  name: 'cacp/project/overview',
  summary: 'Show one project or all in short: its repos, who holds them, and how much is in it.',
  ...readsProject,
  params: OverviewQuery,
  result: z.object({ projects: listOf(Overview), ...pageResult }),
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: {
      projects: [
        {
          projectId: EXAMPLE.projectId,
          name: 'User Auth Feature',
          objective: 'Implement OAuth 2.0 login across frontend and backend',
          archived: false,
          createdAt: EXAMPLE.time,
          status: 'planning',
          repos: [{ repoId: EXAMPLE.repoId, name: 'backend-api', role: 'backend', agentId: EXAMPLE.agentId }],
          repoCount: 1,
          contractCount: 1,
          packetCount: 3,
        },
      ],
    },
  },
}).serve(({ contracts, inbox }, query, { env }) => {
  if (!query.details) return contracts.read((view) => overviewPage(query, { view, env }))
  return inbox.openQuestions().then((openQuestions) =>
    contracts.readIndexed((view, index) => {
      const countsOf = (projectId: string): Counts => {
        const { byStatus, conflicts } = countTallies(index.tallies({ projectId }))
        return { contractsByStatus: byStatus, conflicts, openQuestions: openQuestions(projectId) }
      }
      return overviewPage(query, { view, env, countsOf })
    }),
  )
})

type Counts = Pick<z.output<typeof Overview>, 'contractsByStatus' | 'conflicts' | 'openQuestions'>

interface Reading {
  readonly view: View
  readonly env: Env
  /** Missing without details. */
  readonly countsOf?: (projectId: string) => Counts
}

function overviewPage(
  { projectId, includeArchived, limit, cursor }: OverviewQuery,
  { view, env, countsOf = () => ({}) }: Reading,
) {
  const counted = (found: ProjectView) => ({ ...overviewOf(found), ...countsOf(found.project.project_id) })
  if (projectId !== undefined) {
    const found = projectOf(view, projectId, env)
    return { projects: [{ ...counted(found), status: projectStatus(found) }] }
  }
  const { items, rest } = takePage(
    view.projects,
    { limit, cursor },
    {
      cursorOf: ({ project }) => project.project_id,
      render: (found) => {
        const isShown = maySee(found, env.caller) && (includeArchived || !found.project.archived)
        return isShown ? counted(found) : undefined
      },
    },
  )
  return { projects: items, ...rest }
}

function overviewOf({ project, repos, contracts, packets }: ProjectView): z.output<typeof Overview> {
  return {
    projectId: project.project_id,
    name: project.name,
    objective: project.objective,
    archived: project.archived,
    createdAt: project.created_at,
    repos: shownRepos(repos).map((repo) => ({
      repoId: repo.repo_id,
      name: repo.name,
      role: repo.role,
      agentId: repo.holder?.agent_id ?? null,
    })),
    repoCount: repos.size,
    contractCount: contracts.size,
    packetCount: packets.size,
  }
}

/** Confirmed repos first, so that many unconfirmed ones cannot crowd them out. */
function shownRepos(repos: ProjectView['repos']): readonly RepoEntity[] {
  const all = [...repos.oldestFirst()]
  if (all.length <= LIMITS.repos) return all
  const rank = ({ holder }: RepoEntity) => (holder?.is_confirmed === true ? 0 : holder === undefined ? 2 : 1)
  return all.sort((a, b) => rank(a) - rank(b)).slice(0, LIMITS.repos)
}

const Summary = namedShape('ProjectSummary', {
  projectId: z.string(),
  name: z.string(),
  status: ProjectStatus,
  repoCount: z.int(),
  contractCount: z.int(),
  createdAt: z.string(),
  archived: z.boolean(),
})

const Listed = ProjectShape.extend(Summary.shape).meta({ id: 'ListedProject' })

/** Clients that do not know pages get all projects: in full as long as they fit, and as a summary beyond that. */
export const list = method({
  name: 'cacp/project/list',
  summary:
    'List all projects, oldest first; those that do not fit into 1 MiB in short, cacp/project/get shows the rest.',
  access: 'read',
  params: z.object({ status: ProjectStatus.optional(), includeArchived: Flag, ...pageParams }),
  result: z.object({
    projects: z.array(z.union([Listed, Summary])),
    summarized: z.int().optional().describe('how many of them are told in short, for want of room'),
    ...pageResult,
  }),
  example: {
    params: {},
    result: {
      projects: [
        {
          ...EXAMPLE.project,
          projectId: EXAMPLE.projectId,
          repoCount: 2,
          contractCount: 0,
          createdAt: EXAMPLE.project.created_at,
        },
      ],
    },
  },
}).decide((view, { status, includeArchived, ...page }, env) => {
  const { items, values, rest, room } = takePage(view.projects, page, {
    cursorOf: ({ project }) => project.project_id,
    render: (one) => {
      if (!maySee(one, env.caller) || (one.project.archived && !includeArchived)) return undefined
      return status === undefined || projectStatus(one) === status ? summarizeProject(one) : undefined
    },
  })
  const projects = inFull(items, values, room)
  const summarized = projects.filter((project) => !('project_id' in project)).length
  return { result: { projects, ...(summarized === 0 ? {} : { summarized }), ...rest } }
})

/** As many of them in full as fit, oldest first. */
function inFull(
  summaries: readonly z.output<typeof Summary>[],
  found: readonly ProjectView[],
  given: number,
): (z.output<typeof Listed> | z.output<typeof Summary>)[] {
  let room = given
  return summaries.map((summary, index) => {
    const project = found[index]
    if (project === undefined || !isProjectWithin(project, room)) return summary
    const full = { ...renderProject(project), ...summary }
    const more = utf8Length(jsonText(full)) - utf8Length(jsonText(summary))
    if (more > room) return summary
    room -= more
    return full
  })
}
