import type { Stamp } from '../../protocol/stamp.ts'
import type { ContractStatus, ContractType } from '../../protocol/words.ts'
import type { ContractEntity } from '../views/entities.ts'
import { isOver } from './next-step.ts'
import { reposOf } from './parties.ts'

/** What lists of contracts are ordered, filtered and counted by. It is kept for every contract. */
export interface ListedContract {
  readonly projectId: string
  readonly contractId: string
  /** When it changed last. */
  readonly since: Stamp
  /** Orders those that changed at the same moment. */
  readonly id: string
  /** As `searchedName` writes it. */
  readonly name: string
  readonly type: ContractType
  readonly status: ContractStatus
  /** The repo that opened it. */
  readonly openedBy: string
  /** The repo that wrote the newest version, and those that have to agree to it. */
  readonly repos: readonly string[]
  /** Whether somebody has to agree, or has to resolve a conflict. */
  readonly isUnsettled: boolean
  readonly hasConflict: boolean
  /** Whether work on what is in force was found not to work. */
  readonly hasFailed: boolean
  readonly isWithdrawn: boolean
  readonly isRetired: boolean
  /** Nobody has to do anything about it until it is proposed anew. */
  readonly isOver: boolean
}

export function listedOf(projectId: string, contract: ContractEntity): ListedContract {
  const { contract_id: contractId, head, conflicts, is_withdrawn, is_retired } = contract
  const hasConflict = conflicts.length > 0
  return {
    projectId,
    contractId,
    since: contract.updated_at,
    id: `${contractId} ${projectId}`,
    name: searchedName(contract.name),
    type: contract.type,
    status: contract.status,
    openedBy: contract.created_by,
    repos: reposOf(head),
    isUnsettled: !is_withdrawn && (hasConflict || !head.is_agreed || contract.objections.length > 0),
    hasConflict,
    hasFailed: hasFailed(contract),
    isWithdrawn: is_withdrawn,
    isRetired: is_retired,
    isOver: isOver(contract),
  }
}

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
