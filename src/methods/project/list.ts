import * as z from 'zod'
import { maySee } from '../../domain/lookup.ts'
import { projectStatus } from '../../domain/project/project.ts'
import { isProjectWithin, renderProject, summarizeProject } from '../../domain/render.ts'
import type { ProjectView } from '../../domain/view.ts'
import { jsonText } from '../../protocol/json/text.ts'
import { utf8Length } from '../../protocol/text/utf8.ts'
import { ProjectStatus } from '../../protocol/words.ts'
import { EXAMPLE } from '../examples.ts'
import { pageParams, pageResult, takePage } from '../page.ts'
import { method } from '../row.ts'
import { ProjectShape } from '../shapes.ts'

const Summary = z
  .object({
    projectId: z.string(),
    name: z.string(),
    status: ProjectStatus,
    repoCount: z.int(),
    contractCount: z.int(),
    createdAt: z.string(),
    archived: z.boolean(),
  })
  .meta({ id: 'ProjectSummary' })

const Listed = ProjectShape.extend(Summary.shape).meta({ id: 'ListedProject' })

/** Clients that do not know pages get all projects: in full as long as they fit, and as a summary beyond that. */
export const list = method({
  name: 'cacp/project/list',
  summary:
    'List all projects, oldest first; those that do not fit into 1 MiB in short, cacp/project/get shows the rest.',
  access: 'read',
  params: z.object({
    status: ProjectStatus.optional(),
    includeArchived: z.boolean().default(false),
    ...pageParams,
  }),
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
  const found = new Map<string, ProjectView>()
  const { items, rest, room } = takePage(view.projects, page, {
    cursorOf: ({ project }) => project.project_id,
    render: (one) => {
      if (!maySee(one, env.caller) || (one.project.archived && !includeArchived)) return undefined
      if (status !== undefined && projectStatus(one) !== status) return undefined
      found.set(one.project.project_id, one)
      return summarizeProject(one)
    },
  })
  const projects = inFull(items, found, room)
  const summarized = projects.filter((project) => !('project_id' in project)).length
  return { result: { projects, ...(summarized === 0 ? {} : { summarized }), ...rest } }
})

/** As many of them in full as fit, oldest first. */
function inFull(
  summaries: readonly z.output<typeof Summary>[],
  found: ReadonlyMap<string, ProjectView>,
  given: number,
): (z.output<typeof Listed> | z.output<typeof Summary>)[] {
  let room = given
  return summaries.map((summary) => {
    const project = found.get(summary.projectId)
    if (project === undefined || !isProjectWithin(project, room)) return summary
    const full = { ...renderProject(project), ...summary }
    const more = utf8Length(jsonText(full)) - utf8Length(jsonText(summary))
    if (more > room) return summary
    room -= more
    return full
  })
}
