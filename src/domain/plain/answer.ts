import type { BaseStatus, ContractStatus, ResponseAction } from '../../protocol/words.ts'
import { isPartyOf } from '../contract/contract.ts'
import type { ContractForm } from '../model.ts'
import type { AnswerEntity, ContractEntity, RevisionEntity } from '../views/entities.ts'

interface AnswerInput {
  readonly local: ContractEntity
  /** The version that is the peer's head, as it is here. */
  readonly revision: RevisionEntity
  /** The repo that the peer speaks for. */
  readonly repoId: string
  readonly status: ContractStatus
  /** The forms of this version that the peer was known to hold before. */
  readonly before: readonly ContractForm[]
}

/**
 * The answer that a status sent by a plain peer means. The peer sends the status of a contract, never who changed it.
 * The status is the peer's own answer if it differs from all forms that the peer held and from the status here, which
 * another daemon may have sent it. It is never taken as the answer of somebody else.
 */
export function readAnswer(input: AnswerInput): ResponseAction | undefined {
  const { local, revision, repoId, status, before } = input
  if (!isPartyOf(revision, repoId) || isItsOwn(revision, repoId)) return undefined
  const seen = decidedIn(status)
  const known = before.map((form) => decidedIn(form.status))
  const isHead = revision.id === local.head.id
  if (known.includes(seen) || (isHead && decidedIn(local.status) === seen)) return undefined
  // If nothing was known, an unanswered proposal says nothing.
  if (known.length === 0 && seen === 'proposed') return undefined
  const isOfOthers = isHead && local.objections.some((objector) => objector !== repoId)
  if (seen === 'negotiating' && isOfOthers) return undefined
  const action = ACTIONS[seen]
  return lastAnswer(local, revision.id, repoId)?.action === action ? undefined : action
}

/** The author of a version agrees by writing it; it has to agree explicitly only if no other repo is needed. */
const isItsOwn = ({ repo_id, needed }: RevisionEntity, repoId: string): boolean =>
  repo_id === repoId && needed.some((other) => other !== repoId)

export function lastAnswer(
  local: ContractEntity,
  revisionId: string,
  repoId: string,
): AnswerEntity | undefined {
  const answers = revisionId === local.head.id ? local.answers : local.history.answers
  return answers.findLast((one) => one.revision === revisionId && one.repo_id === repoId)
}

/** The decision that a status implies. */
const decidedIn = (status: ContractStatus): BaseStatus =>
  status === 'implemented' || status === 'verified' ? 'agreed' : status

/** In the reference implementation only a rejection leads back to proposed. */
const ACTIONS: Record<BaseStatus, ResponseAction> = {
  agreed: 'agree',
  negotiating: 'request_change',
  proposed: 'reject',
}
