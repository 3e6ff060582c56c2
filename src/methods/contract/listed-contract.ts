import { hasFailed } from '../../domain/contract/listed.ts'
import { repoName } from '../../domain/contract/next-step.ts'
import { reposOf } from '../../domain/contract/parties.ts'
import type { Deliveries } from '../../domain/delivery/delivery.ts'
import { leastFar } from '../../domain/delivery/least-far.ts'
import { renderInForce } from '../../domain/render.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity } from '../../domain/views/entities.ts'
import { dependenciesIn } from './fields.ts'
import type { ContractSummary } from './list.ts'

/** A contract in a list. */
export function summarize(contract: ContractEntity, found: ProjectView): ContractSummary {
  const { contract_id, type, name, head, status, updated_at, is_withdrawn, is_retired } = contract
  const { objections, unanswered } = contract
  return {
    contractId: contract_id,
    contract_id,
    projectId: found.project.project_id,
    project: found.project.name,
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
    ...(hasFailed(contract) ? { failed: true } : {}),
    ...(head.retire && !head.is_agreed ? { endProposed: true } : {}),
    ...(is_withdrawn ? { withdrawn: true } : {}),
    ...(is_retired ? { retired: true } : {}),
  }
}

interface Beside {
  readonly found: ProjectView
  readonly ownRepo: string | undefined
  readonly deliveries: Deliveries | undefined
}

/** What people want to see of it beside that. */
export function detailsOf(
  contract: ContractEntity,
  { found, ownRepo, deliveries }: Beside,
): Pick<ContractSummary, 'mine' | 'parties' | 'delivery'> {
  const repos = reposOf(contract.head)
  const delivery = deliveries && leastFar(deliveries.ofContract(contract))
  return {
    mine: ownRepo !== undefined && repos.includes(ownRepo),
    parties: repos.map((repoId) => ({
      repoId,
      repo: repoName(found, repoId),
      answer: answerOf(contract, repoId),
    })),
    ...(delivery === undefined ? {} : { delivery }),
  }
}

function answerOf({ head, answers }: ContractEntity, repoId: string) {
  const answer = answers.find(({ repo_id }) => repo_id === repoId)?.action
  return answer ?? (head.repo_id === repoId ? 'proposed' : null)
}
