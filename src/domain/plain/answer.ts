import type { BaseStatus, ContractStatus, ResponseAction } from '../../protocol/words.ts'
import { isPartyOf } from '../contract/contract.ts'
import type { ContractForm } from '../model.ts'
import type { AnswerEntity, ContractEntity, RevisionEntity } from '../views/entities.ts'

export interface StatusSeen {
  readonly local: ContractEntity
  /** The version that the peer has for its head, as it is here. */
  readonly revision: RevisionEntity
  /** The repo for which the peer speaks. */
  readonly repoId: string
  readonly status: ContractStatus
  /** What the peer was known to hold before, where that was about the same version. */
  readonly before: readonly ContractForm[]
}

/**
 * A plain peer says where a contract stands, never who moved it. It is its own answer where it differs from all that the
 * peer is known to have held and from what is so here, which another daemon may have told it; and nobody else's ever.
 */
export function readAnswer({
  local,
  revision,
  repoId,
  status,
  before,
}: StatusSeen): ResponseAction | undefined {
  if (!isPartyOf(revision, repoId) || isItsOwn(revision, repoId)) return undefined
  const seen = decidedIn(status)
  const known = before.map((form) => decidedIn(form.status))
  const isHead = revision.id === local.head.id
  if (known.includes(seen) || (isHead && decidedIn(local.status) === seen)) return undefined
  // Where nothing was known, a proposal that nobody answered tells nothing.
  if (known.length === 0 && seen === 'proposed') return undefined
  const isOfOthers = isHead && local.objections.some((objector) => objector !== repoId)
  if (seen === 'negotiating' && isOfOthers) return undefined
  const action = ACTIONS[seen]
  return lastAnswer(local, revision.id, repoId)?.action === action ? undefined : action
}

/** Whoever wrote a version agrees to it by that; only where nobody else is asked, it has to say so. */
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

/** What somebody must have decided for a contract to have this status. */
const decidedIn = (status: ContractStatus): BaseStatus =>
  status === 'implemented' || status === 'verified' ? 'agreed' : status

/** Only a rejection leads back to proposed there. */
const ACTIONS: Record<BaseStatus, ResponseAction> = {
  agreed: 'agree',
  negotiating: 'request_change',
  proposed: 'reject',
}
