import { z } from 'zod'
import { dependenciesOf, isReady } from '../../domain/contract/dependencies.ts'
import { repoName } from '../../domain/contract/next-step.ts'
import { openAnswers } from '../../domain/contract/objection.ts'
import { reviewBeside } from '../../domain/contract/review.ts'
import { ReviewField } from '../../domain/contract/review-shape.ts'
import { Deliveries, Delivery } from '../../domain/delivery/delivery.ts'
import { isLocalAgent } from '../../domain/delivery/receipt.ts'
import { contractOf, projectOf } from '../../domain/lookup.ts'
import {
  MOST_SHOWN,
  REDACTED_CONTENT,
  renderContract,
  renderHistory,
  renderInForce,
} from '../../domain/render.ts'
import { markRevoked } from '../../domain/speaking/revoked-authors.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import { ProjectWord } from '../../protocol/named.ts'
import { ContractStatus, ContractType, Sha256, Texts } from '../../protocol/words.ts'
import {
  EXAMPLE_CONTRACT,
  EXAMPLE_CONTRACT_ID,
  EXAMPLE_DELIVERY,
  EXAMPLE_PROJECT_ID,
  EXAMPLE_REPO_ID,
  EXAMPLE_TARGET,
} from '../examples.ts'
import { pageParams, pageResult, takePage, unknownCursor } from '../page.ts'
import { method } from '../row.ts'
import { ContractShape, InForceShape, Target } from '../shapes.ts'

const Dependencies = z
  .array(z.object({ contractId: z.string(), name: z.string(), inForce: z.boolean() }))
  .readonly()
  .optional()
  .describe('contracts that have to be in force before this one can be built')

const ContractWithDependencies = ContractShape.extend({
  contractId: z.string().describe('the same as contract_id'),
  suggestions: z
    .array(
      z.object({
        number: z.int(),
        repo: z.string().describe('its name'),
        comment: z.string(),
        response_id: z.string().describe('for acceptSuggestion of cacp/contract/update'),
        acceptable: z.boolean().describe('whether it is a whole content, and not a text'),
      }),
    )
    .readonly()
    .optional()
    .describe(
      'changes that parties want and that were not met yet, oldest first; responses has what they are',
    ),
  dependsOn: Dependencies,
  review: ReviewField,
  delivery: z.array(Delivery).readonly().optional().describe('to the agents of this daemon only'),
})

export const get = method({
  name: 'cacp/contract/get',
  summary: 'Get a contract with its responses, implementations and open conflicts.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    ...Target,
    includeHistory: z.boolean().default(false).describe('also the earlier versions, under history'),
    before: Sha256.optional().describe('earlier.before of an answer that left something out: shows that'),
  }),
  result: ContractWithDependencies,
  example: {
    params: EXAMPLE_TARGET,
    result: { ...EXAMPLE_CONTRACT, contractId: EXAMPLE_CONTRACT_ID, delivery: [EXAMPLE_DELIVERY] },
  },
}).decide((view, { projectId, contractId, includeHistory, before }, env) => {
  const found = projectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  if (before !== undefined && found.said.get(before)?.about !== contractId) throw unknownCursor(before)
  const { history, ...shown } = markRevoked(view, renderPiece(contract, before))
  const result: z.output<typeof ContractWithDependencies> = {
    ...shown,
    contractId,
    inForce: inForceOf(contract),
    ...suggestionsIn(found, contract),
    ...dependenciesIn(found, contract),
    ...(contract.is_withdrawn ? {} : reviewBeside({ found, contract }, contract.head)),
  }
  if (includeHistory) result.history = history
  if (!isLocalAgent(env.caller)) return { result }
  result.delivery = new Deliveries(view, found, env.self).ofContract(contract)
  return { result, shows: { project_id: projectId, contracts: [contract] } }
})

function suggestionsIn(
  found: ProjectView,
  contract: ContractEntity,
): Pick<z.output<typeof ContractWithDependencies>, 'suggestions'> {
  const open = openAnswers(contract).reverse()
  const suggestions = open.flatMap((one) => (one.suggested_change === null ? [] : [one]))
  if (suggestions.length === 0) return {}
  return {
    suggestions: suggestions.map(({ id, repo_id, comment, suggested_change }, index) => ({
      number: index + 1,
      repo: repoName(found, repo_id),
      comment,
      response_id: id,
      acceptable: isJsonObject(suggested_change),
    })),
  }
}

/** The revision in force; with its content while a change of it is proposed. */
function inForceOf(contract: ContractEntity): z.output<typeof InForceShape> {
  const { in_force, head } = contract
  const summary = renderInForce(contract)
  if (in_force === undefined || summary === null || in_force.revision.id === head.id) return summary
  return { ...summary, content: in_force.revision.content ?? REDACTED_CONTENT }
}

/** The contract with the newest page of its history, or with an earlier page. */
function renderPiece(
  contract: ContractEntity,
  before: string | undefined,
): ReturnType<typeof renderContract> {
  const shown = renderContract(contract)
  if (before === undefined) return shown
  const { earlier: _, ...standing } = shown
  return { ...standing, ...renderHistory(contract, contract.recent(MOST_SHOWN, before)) }
}

const ContractSummary = z.object({
  contractId: z.string(),
  contract_id: z.string().describe('the same as contractId'),
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
})

export const list = method({
  name: 'cacp/contract/list',
  summary: 'List the contracts of a project, oldest first.',
  access: 'read',
  permission: 'project:read',
  params: z.object({
    projectId: ProjectWord,
    status: ContractStatus.optional(),
    type: ContractType.optional(),
    ready: z
      .boolean()
      .default(false)
      .describe(
        'only those that can be built: in force, not implemented yet, and their dependencies all in force',
      ),
    includeWithdrawn: z.boolean().default(false).describe('also those that their author took back'),
    ...pageParams,
  }),
  result: z.object({ contracts: z.array(ContractSummary), ...pageResult }),
  example: {
    params: { projectId: EXAMPLE_PROJECT_ID, status: 'proposed' },
    result: {
      contracts: [
        {
          contractId: EXAMPLE_CONTRACT_ID,
          contract_id: EXAMPLE_CONTRACT_ID,
          type: 'api_endpoint',
          name: 'Get User Profile',
          version: 1,
          status: 'proposed',
          proposedBy: EXAMPLE_REPO_ID,
          updatedAt: EXAMPLE_CONTRACT.updated_at,
          inForce: null,
          objections: [],
          unanswered: [EXAMPLE_REPO_ID],
          needed: [EXAMPLE_REPO_ID],
          conflictCount: 0,
        },
      ],
    },
  },
}).decide((view, { projectId, status, type, ready, includeWithdrawn, ...page }, env) => {
  const found = projectOf(view, projectId, env)
  const { items, rest } = takePage(found.contracts, page, {
    id: (one: z.output<typeof ContractSummary>) => one.contractId,
    render: (contract) => {
      if (contract.is_withdrawn && !includeWithdrawn) return undefined
      if (ready && !isReady(found, contract)) return undefined
      return (status ?? contract.status) === contract.status && (type ?? contract.type) === contract.type
        ? summarize(contract, found)
        : undefined
    },
  })
  return { result: { contracts: items, ...rest } }
})

function dependenciesIn(
  found: ProjectView,
  contract: ContractEntity,
): Pick<z.output<typeof ContractSummary>, 'dependsOn'> {
  const dependsOn = dependenciesOf(found, contract)
  return dependsOn.length === 0 ? {} : { dependsOn }
}

function summarize(contract: ContractEntity, found: ProjectView): z.output<typeof ContractSummary> {
  const { contract_id, type, name, head, status, updated_at, is_withdrawn, is_retired } = contract
  const { objections, unanswered } = contract
  return {
    contractId: contract_id,
    contract_id,
    type,
    name,
    version: head.version,
    status,
    proposedBy: head.repo_id,
    updatedAt: updated_at,
    inForce: renderInForce(contract),
    objections,
    unanswered,
    needed: head.needed,
    conflictCount: contract.conflicts.length,
    ...dependenciesIn(found, contract),
    ...(contract.works.some((one) => one.status === 'needs_revision') ? { failed: true } : {}),
    ...(head.retire && !head.is_agreed ? { endProposed: true } : {}),
    ...(is_withdrawn ? { withdrawn: true } : {}),
    ...(is_retired ? { retired: true } : {}),
  }
}
