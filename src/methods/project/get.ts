import * as z from 'zod'
import { isLocal, newestOf, type Shown } from '../../domain/delivery/receipt.ts'
import { projectOf } from '../../domain/lookup.ts'
import {
  orderedTableOf,
  type PartPlace,
  PROJECT_PARTS,
  type ProjectPart,
  renderParts,
} from '../../domain/project/parts.ts'
import type { ProjectView } from '../../domain/view.ts'
import { memoized } from '../../protocol/json/text.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { ProjectWord } from '../../protocol/named.ts'
import { PageSize, pageResult, unknownCursor } from '../page.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { ProjectShape } from '../shapes.ts'

const CURSOR = new RegExp(`^(${PROJECT_PARTS.join('|')}):(.{1,128})$`)

const Shape = ProjectShape.extend({
  projectId: z.string().describe('the same as project_id'),
  ...pageResult,
  leftOut: z
    .object({ repos: z.int(), contracts: z.int(), context_history: z.int() })
    .optional()
    .describe('how many of each list are not in this answer; absent when all are'),
  hint: z.string().optional(),
})

export const get = method({
  name: 'cacp/project/get',
  summary: 'Get a project with its repos, contracts and context, whole up to 8 MiB, or page by page.',
  ...readsProject,
  params: z.object({
    projectId: ProjectWord,
    parts: z
      .array(z.enum(PROJECT_PARTS))
      .max(PROJECT_PARTS.length)
      .optional()
      .describe('only these lists, the others are empty; default: all'),
    limit: PageSize.optional().describe(
      'a page of so many things, oldest first, all lists together; default: all that fits',
    ),
    cursor: z
      .string()
      .regex(CURSOR, 'must be a nextCursor')
      .optional()
      .describe('nextCursor of the page before'),
  }),
  result: Shape,
  example: {
    params: { projectId: EXAMPLE.projectId },
    result: { ...EXAMPLE.project, projectId: EXAMPLE.projectId },
  },
}).decide((view, { projectId, parts, limit, cursor }, env) => {
  const found = projectOf(view, projectId, env)
  const isWhole = parts === undefined && limit === undefined && cursor === undefined
  const result = isWhole
    ? wholeProject(found)
    : shown(found, {
        parts: parts ?? PROJECT_PARTS,
        limit: limit ?? Number.POSITIVE_INFINITY,
        mostBytes: LIMITS.answerBytes,
        after: placeOf(cursor, found),
      })
  return isLocal(env.caller) ? { result, shows: shownBy(result, found) } : { result }
})

/** The most frequent answer is built once per state of the project. */
const wholeProject = memoized((found: ProjectView) =>
  shown(found, { parts: PROJECT_PARTS, limit: Number.POSITIVE_INFINITY, mostBytes: LIMITS.projectBytes }),
)

function shown(found: ProjectView, query: Parameters<typeof renderParts>[1]): z.output<typeof Shape> {
  const { project: rendered, cut, leftOut } = renderParts(found, query)
  const project = { ...rendered, projectId: rendered.project_id }
  const rest = leftOut === undefined ? {} : { leftOut }
  if (cut === undefined) return { ...project, ...rest }
  const nextCursor = `${cut.last.part}:${cut.last.id}`
  const about = cut.isForSize ? { truncated: true, hint: hintAt(nextCursor) } : {}
  return { ...project, ...rest, nextCursor, ...about }
}

const hintAt = (cursor: string): string =>
  `This is not all of the project, because it is too large for one answer: call again with "cursor": ${JSON.stringify(cursor)} for what comes next, or with "parts" for some of its lists only`

function placeOf(cursor: string | undefined, found: ProjectView): PartPlace | undefined {
  if (cursor === undefined) return undefined
  const [, part, id = ''] = CURSOR.exec(cursor) ?? []
  const place = { part: part as ProjectPart, id }
  if (orderedTableOf(found, place.part).get(id) === undefined) throw unknownCursor(cursor)
  return place
}

/** The contracts and packets in the answer, as many as receipts are recorded for. */
function shownBy({ leftOut, contracts, context_history }: z.output<typeof Shape>, found: ProjectView): Shown {
  if (leftOut === undefined) return newestOf(found)
  return {
    project_id: found.project.project_id,
    contracts: contracts
      .slice(-LIMITS.receiptItems)
      .flatMap((one) => found.contracts.get(one.contract_id) ?? []),
    packets: context_history
      .slice(-LIMITS.receiptItems)
      .flatMap((one) => found.packets.get(one.packet_id) ?? []),
  }
}
