import type { ContractEntity, RevisionEntity } from '../../domain/views/entities.ts'
import { Fault } from '../../protocol/fault.ts'

/** If a version number exists twice, the revision that takes precedence. `field` is the param that names it. */
export function versionOf(contract: ContractEntity, version: number, field: string): RevisionEntity {
  const revision = contract.history.revisions.findLast((one) => one.version === version)
  if (revision !== undefined) return revision
  throw new Fault('not_found', `${field}: contract ${contract.contract_id} has no version ${version}`, {
    next: `Its versions are 1 to ${contract.head.version}`,
    data: { field, contractId: contract.contract_id },
  })
}
