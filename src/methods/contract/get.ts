import * as z from 'zod'
import { repoName } from '../../domain/contract/next-step.ts'
import { openAnswers } from '../../domain/contract/objection.ts'
import { reviewBeside } from '../../domain/contract/review.ts'
import { ReviewField } from '../../domain/contract/review-shape.ts'
import { Delivery, deliveriesIn } from '../../domain/delivery/delivery.ts'
import { isLocal } from '../../domain/delivery/receipt.ts'
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
import { Flag, listOf, Sha256 } from '../../protocol/words.ts'
import { unknownCursor } from '../page.ts'
import { EXAMPLE, method, readsProject } from '../row.ts'
import { ContractShape, type InForceShape, Target } from '../shapes.ts'
import { Dependencies, dependenciesIn } from './fields.ts'

const WholeContract = ContractShape.extend({
  contractId: z.string().describe('the same as contract_id'),
  suggestions: listOf(
    z.object({
      number: z.int(),
      repo: z.string().describe('its name'),
      comment: z.string(),
      response_id: z.string().describe('for acceptSuggestion of cacp/contract/update'),
      acceptable: z.boolean().describe('whether it is a whole content, and not a text'),
    }),
  )
    .optional()
    .describe(
      'changes that parties want and that were not met yet, oldest first; responses has what they are',
    ),
  dependsOn: Dependencies,
  review: ReviewField,
  delivery: listOf(Delivery).optional().describe('to the agents of this daemon only'),
})

export const get = method({
  name: 'cacp/contract/get',
  summary: 'Get a contract with its responses, implementations and open conflicts.',
  ...readsProject,
  params: z.object({
    ...Target,
    includeHistory: Flag.describe('also the earlier versions, under history'),
    before: Sha256.optional().describe('earlier.before of an answer that left something out: shows that'),
    unseen: Flag.describe('for a program that shows it to no agent: it does not count as seen'),
  }),
  result: WholeContract,
  example: {
    params: EXAMPLE.target,
    result: { ...EXAMPLE.contract, contractId: EXAMPLE.contractId, delivery: [EXAMPLE.delivery] },
  },
}).decide((view, { projectId, contractId, includeHistory, before, unseen }, env) => {
  const found = projectOf(view, projectId, env)
  const contract = contractOf(found, contractId)
  if (before !== undefined && found.said.get(before)?.about !== contractId) throw unknownCursor(before)
  const { history, ...shown } = markRevoked(view, renderPiece(contract, before))
  const result: z.output<typeof WholeContract> = {
    ...shown,
    contractId,
    inForce: inForceOf(contract),
    ...suggestionsIn(found, contract),
    ...dependenciesIn(found, contract),
    ...(contract.is_withdrawn ? {} : reviewBeside({ found, contract }, contract.head)),
  }
  if (includeHistory) result.history = history
  if (!isLocal(env.caller)) return { result }
  result.delivery = deliveriesIn(view, found, env.self).ofContract(contract)
  return { result, ...(unseen ? {} : { shows: { project_id: projectId, contracts: [contract] } }) }
})

function suggestionsIn(found: ProjectView, contract: ContractEntity) {
  const open = openAnswers(contract).filter((one) => one.suggested_change !== null)
  const suggestions = open.toReversed().map(({ id, repo_id, comment, suggested_change }, index) => ({
    number: index + 1,
    repo: repoName(found, repo_id),
    comment,
    response_id: id,
    acceptable: isJsonObject(suggested_change),
  }))
  return suggestions.length === 0 ? {} : { suggestions }
}

/** The revision in force; with its content while a change of it is proposed. */
function inForceOf(contract: ContractEntity): z.output<typeof InForceShape> {
  const { in_force, head } = contract
  const summary = renderInForce(contract)
  if (in_force === undefined || summary === null || in_force.revision.id === head.id) return summary
  return { ...summary, content: in_force.revision.content ?? REDACTED_CONTENT }
}

/** The contract with the newest page of its history, or with an earlier page. */
function renderPiece(contract: ContractEntity, before: string | undefined) {
  const shown = renderContract(contract)
  if (before === undefined) return shown
  const { earlier: _, ...standing } = shown
  return { ...standing, ...renderHistory(contract, contract.recent(MOST_SHOWN, before)) }
}
