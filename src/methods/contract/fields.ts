import * as z from 'zod'
import { onContract } from '../../domain/contract/advice.ts'
import type { Seat } from '../../domain/contract/contract.ts'
import { dependenciesOf } from '../../domain/contract/dependencies.ts'
import { repoNames } from '../../domain/contract/next-step.ts'
import { TOLERANCES } from '../../domain/interface/model.ts'
import { PlaceText } from '../../domain/statements/expectation.ts'
import type { ProjectView } from '../../domain/view.ts'
import type { ContractEntity, RevisionEntity } from '../../domain/views/entities.ts'
import { Fault } from '../../protocol/fault.ts'
import { listOf, manyOf } from '../../protocol/words.ts'

/** Fields that several methods of contracts have in common. */

export const Places = manyOf(PlaceText)

export const Tolerances = manyOf(z.enum(TOLERANCES))

export const Unanswered = z
  .array(z.string())
  .optional()
  .describe('names of the repos that still have to answer; left out where there is none')

export const unansweredBy = (
  found: ProjectView,
  repoIds: readonly string[],
): { readonly unanswered?: string[] } =>
  repoIds.length === 0 ? {} : { unanswered: repoNames(found, repoIds) }

export const Dependencies = listOf(
  z.object({ contractId: z.string(), name: z.string(), inForce: z.boolean() }),
)
  .optional()
  .describe('contracts that have to be in force before this one can be built')

export function dependenciesIn(
  found: ProjectView,
  contract: ContractEntity,
): { dependsOn?: z.output<typeof Dependencies> } {
  const dependsOn = dependenciesOf(found, contract)
  return dependsOn.length === 0 ? {} : { dependsOn }
}

export const Version = z.int().min(1).optional()

export const ReadVersion = Version.describe('the version you read; refused when it has moved on since')

export function expectVersion(seat: Seat, version: number | undefined): void {
  const { contract_id: contractId, head } = seat.contract
  if (version === undefined || version === head.version) return
  throw new Fault('conflict', `Contract ${contractId} is at version ${head.version}, not ${version}`, {
    next: 'Read it again with cacp/contract/get',
    data: { contractId, version: head.version, call: onContract(seat, 'cacp/contract/get') },
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
