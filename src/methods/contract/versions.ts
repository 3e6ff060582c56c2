import * as z from 'zod'
import type { Seat } from '../../domain/contract/contract.ts'
import type { ContractEntity, RevisionEntity } from '../../domain/views/entities.ts'
import { Fault } from '../../protocol/fault.ts'

export const Version = z.int().min(1).optional()

export const ReadVersion = Version.describe('the version you read; refused when it has moved on since')

export function expectVersion({ found, contract }: Seat, version: number | undefined): void {
  const { contract_id: contractId, head } = contract
  if (version === undefined || version === head.version) return
  const params = { projectId: found.project.project_id, contractId }
  throw new Fault('conflict', `Contract ${contractId} is at version ${head.version}, not ${version}`, {
    next: 'Read it again with cacp/contract/get',
    data: { contractId, version: head.version, call: { method: 'cacp/contract/get', params } },
  })
}

/** If a version number exists twice, the revision that takes precedence. `field` is the param that names it. */
export function versionOf(contract: ContractEntity, version: number, field: string): RevisionEntity {
  const revision = contract.history.revisions.findLast((one) => one.version === version)
  if (revision !== undefined) return revision
  throw new Fault('not_found', `${field}: contract ${contract.contract_id} has no version ${version}`, {
    next: `Its versions are 1 to ${contract.head.version}`,
    data: { field, contractId: contract.contract_id },
  })
}

export function revisionOf(contract: ContractEntity, id: string, field: string): RevisionEntity {
  const revision = contract.history.revisions.find((one) => one.id === id)
  if (revision !== undefined) return revision
  throw new Fault('not_found', `${field}: contract ${contract.contract_id} has no revision ${id}`, {
    next: 'Take one from cacp/contract/get with includeHistory: head, history and conflicts name theirs',
    data: { field, contractId: contract.contract_id },
  })
}
