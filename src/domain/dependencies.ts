import { Fault } from '../protocol/fault.ts'
import { contractOf } from './lookup.ts'
import { isOver } from './standing.ts'
import type { ProjectView } from './view.ts'
import type { ContractEntity, RevisionEntity } from './views/entities.ts'

/** A contract that another one waits for, as it is now. */
export interface Dependency {
  readonly contractId: string
  /** Its id, where it is not here yet. */
  readonly name: string
  readonly inForce: boolean
}

/** The contracts of these ids, each once. */
export const dependenciesNamed = (found: ProjectView, words: readonly string[]): string[] => [
  ...new Set(words.map((word) => contractOf(found, word).contract_id)),
]

/** A contract cannot wait for itself; a ring of several does no harm, and is theirs to end. */
export function assertOthers(contractId: string, dependsOn: readonly string[]): void {
  if (!dependsOn.includes(contractId)) return
  throw new Fault('invalid_params', 'dependsOn: a contract cannot depend on itself', {
    next: 'Leave it out',
    data: { field: 'dependsOn', contractId },
  })
}

/** As a revision says it. */
export const dependenciesSaid = (ids: readonly string[]): { depends_on?: readonly string[] } =>
  ids.length === 0 ? {} : { depends_on: ids }

/** What the version that is built, or would be, waits for. */
export const dependenciesOf = (found: ProjectView, contract: ContractEntity): Dependency[] =>
  toBuild(contract).depends_on.map((id) => {
    const other = found.contracts.get(id)
    return { contractId: id, name: other?.name ?? id, inForce: other?.in_force !== undefined }
  })

/** Not implemented yet, and nothing that it depends on is missing. */
export function isReady(found: ProjectView, contract: ContractEntity): boolean {
  const status = contract.in_force?.status
  if (isOver(contract) || status === 'implemented' || status === 'verified') return false
  return dependenciesOf(found, contract).every(({ inForce }) => inForce)
}

const toBuild = ({ in_force, head }: ContractEntity): RevisionEntity => in_force?.revision ?? head
