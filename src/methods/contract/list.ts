import * as z from 'zod'
import { ProjectUnlessAll, RepoWord } from '../../protocol/named.ts'
import {
  ContractStatus,
  ContractType,
  Flag,
  listOf,
  Name,
  Order,
  ResponseAction,
  Texts,
} from '../../protocol/words.ts'
import { pageParams, pageResult } from '../page.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { InForceShape } from '../shapes.ts'
import { Dependencies } from './fields.ts'
import { contractPage } from './listing.ts'

const Party = z.object({
  repoId: z.string(),
  repo: z.string().describe('its name'),
  answer: z
    .enum(['proposed', ...ResponseAction.options])
    .nullable()
    .describe('its newest answer to this version; proposed: it wrote it; null: none yet'),
})

const ContractSummary = z.object({
  contractId: z.string(),
  contract_id: z.string().describe('the same as contractId'),
  projectId: z.string(),
  project: z.string().describe('its name'),
  type: ContractType,
  name: z.string(),
  version: z.int(),
  status: ContractStatus,
  proposedBy: z.string(),
  updatedAt: z.string(),
  inForce: InForceShape,
  objections: Texts.describe('repos whose newest answer is no'),
  unanswered: Texts.describe('repos that have to agree and have not answered'),
  needed: Texts.describe('repos that have to agree'),
  conflictCount: z.int().describe('versions that contradict this one, which nobody has resolved'),
  dependsOn: Dependencies,
  failed: z.literal(true).optional().describe('somebody’s work on what is in force was found not to work'),
  endProposed: z.literal(true).optional().describe('the newest version proposes its end'),
  withdrawn: z.literal(true).optional(),
  retired: z.literal(true).optional(),
  mine: z.boolean().optional().describe('of details: whether your repository has a say in this version'),
  parties: listOf(Party).optional().describe('of details: all who have a say in this version'),
  delivery: z
    .enum(['stored', 'replicated', 'seen'])
    .optional()
    .describe(
      'of details, to the agents of this daemon only: how far it has come to the repo that it has come least far to',
    ),
})
export type ContractSummary = z.output<typeof ContractSummary>

const Count = z.int()
export const ContractCounts = z
  .object({ proposed: Count, negotiating: Count, agreed: Count, implemented: Count, verified: Count })
  .meta({ id: 'ContractCounts' })
export type ContractCounts = z.output<typeof ContractCounts>

const ListQuery = z
  .object({
    projectId: ProjectUnlessAll,
    allProjects: Flag.describe('of all projects that are not archived; with order newest, and no projectId'),
    order: Order.describe('oldest: as they were proposed, the oldest first; newest: the last change first'),
    q: Name.optional().describe('only those whose name contains this text, in capital letters or not'),
    status: ContractStatus.optional(),
    type: ContractType.optional(),
    repo: RepoWord.optional().describe('name or ID of a repo: only those in which it has a say'),
    with: RepoWord.optional().describe('name or ID of another repo that has a say in it, too'),
    mine: Flag.describe('only those in which your own repository has a say'),
    stuckMinutes: z
      .int()
      .min(0)
      .max(366 * 24 * 60)
      .optional()
      .describe(
        'only those that somebody has to agree to, or to resolve, and that did not change for so long',
      ),
    ready: Flag.describe(
      'only those that can be built: in force, not implemented yet, and their dependencies all in force',
    ),
    includeWithdrawn: Flag.describe('also those that their author took back'),
    details: Flag.describe(
      'also who answered what, how far each has come to the others, and counts by status',
    ),
    ...pageParams,
    cursor: z.string().max(400).optional().describe('nextCursor of the page before'),
  })
  .refine(({ allProjects, projectId }) => !allProjects || projectId === undefined, {
    path: ['projectId'],
    error: 'goes with no allProjects: leave one of them out',
  })
  .refine(({ allProjects, order }) => !allProjects || order === 'newest', {
    path: ['order'],
    error: 'must be newest with allProjects',
  })
export type ListQuery = z.output<typeof ListQuery>

export const list = method({
  name: 'cacp/contract/list',
  summary:
    'List the contracts of a project or of all: in the order they were proposed, or the last change first.',
  ...readsProject,
  params: ListQuery,
  result: z.object({
    contracts: z.array(ContractSummary),
    counts: ContractCounts.optional().describe(
      'of details: how many there are of each status, on all pages and whatever the status that is asked for',
    ),
    ...pageResult,
  }),
  example: {
    params: { projectId: EXAMPLE.projectId, status: 'proposed' },
    result: {
      contracts: [
        {
          contractId: EXAMPLE.contractId,
          contract_id: EXAMPLE.contractId,
          projectId: EXAMPLE.projectId,
          project: 'User Auth Feature',
          type: 'api_endpoint',
          name: 'Get User Profile',
          version: 1,
          status: 'proposed',
          proposedBy: EXAMPLE.repoId,
          updatedAt: EXAMPLE.contract.updated_at,
          inForce: null,
          objections: [],
          unanswered: [EXAMPLE.repoId],
          needed: [EXAMPLE.repoId],
          conflictCount: 0,
        },
      ],
    },
  },
}).serve(({ contracts }, query, { env }) =>
  query.order === 'newest' || query.details
    ? contracts.readIndexed((view, index) => contractPage(query, { view, env, index }))
    : contracts.read((view) => contractPage(query, { view, env })),
)
