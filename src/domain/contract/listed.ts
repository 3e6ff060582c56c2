import type { Stamp } from '../../protocol/stamp.ts'
import type { ContractType } from '../../protocol/words.ts'
import type { ContractEntity } from '../views/entities.ts'
import { isOver } from './next-step.ts'
import { reposOf } from './parties.ts'

/** What lists of contracts are ordered, filtered and counted by. It is kept for every contract. */
export type ListedContract = Readonly<ReturnType<typeof listedOf>>

export function listedOf(projectId: string, contract: ContractEntity) {
  const { contract_id: contractId, head, conflicts, is_withdrawn, is_retired } = contract
  const hasConflict = conflicts.length > 0
  return {
    projectId,
    contractId,
    since: contract.updated_at,
    /** Orders those that changed at the same moment. */
    id: `${contractId} ${projectId}`,
    name: searchedName(contract.name),
    type: contract.type,
    status: contract.status,
    openedBy: contract.created_by,
    repos: reposOf(head),
    /** Whether somebody has to agree, or has to resolve a conflict. */
    isUnsettled: !is_withdrawn && (hasConflict || !head.is_agreed || contract.objections.length > 0),
    hasConflict,
    hasFailed: hasFailed(contract),
    isWithdrawn: is_withdrawn,
    isRetired: is_retired,
    isOver: isOver(contract),
  }
}

/** Whether work on what is in force was found not to work. */
export const hasFailed = ({ works }: ContractEntity): boolean =>
  works.some((one) => one.status === 'needs_revision')

/** Names are found in spite of capital letters and of the ways to write an accent. */
export const searchedName = (name: string): string => name.normalize('NFC').toLowerCase()

/** Which contracts a list shows, besides those of a status. */
export interface ListFilter {
  readonly type?: ContractType | undefined
  /** Part of the name, as `searchedName` writes it. */
  readonly text?: string | undefined
  /** Only what is unsettled and has not changed since then. */
  readonly stuckSince?: Stamp | undefined
  readonly includeWithdrawn: boolean
}

export function isListed(contract: ListedContract, filter: ListFilter): boolean {
  const { type = contract.type, text, stuckSince, includeWithdrawn } = filter
  if (type !== contract.type || (contract.isWithdrawn && !includeWithdrawn)) return false
  if (stuckSince !== undefined && !(contract.isUnsettled && contract.since <= stuckSince)) return false
  return text === undefined || contract.name.includes(text)
}
