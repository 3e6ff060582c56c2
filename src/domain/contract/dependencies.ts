import { wrongField } from '../../protocol/fault.ts'
import { contractOf } from '../lookup.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity } from '../views/entities.ts'
import { isOver } from './next-step.ts'

/** The contracts of these ids, each once. */
export const dependenciesNamed = (found: ProjectView, words: readonly string[]): string[] => [
  ...new Set(words.map((word) => contractOf(found, word, 'dependsOn').contract_id)),
]

/** No contract can depend on itself. Circles of several are allowed; whoever closes one gets a note. */
export function assertOthers(contractId: string, dependsOn: readonly string[]): void {
  if (!dependsOn.includes(contractId)) return
  const advice = { next: 'Leave it out', data: { contractId } }
  throw wrongField('dependsOn', 'a contract cannot depend on itself', advice)
}

/** As a field of a revision's body. */
export const dependsOnField = (ids: readonly string[]): { depends_on?: readonly string[] } =>
  ids.length === 0 ? {} : { depends_on: ids }

/** The dependencies of the version in force, or of the head if none is in force. */
export const dependenciesOf = (found: ProjectView, { in_force, head }: ContractEntity) =>
  (in_force?.revision ?? head).depends_on.map((id) => {
    const other = found.contracts.get(id)
    // One that is not here yet goes by its id.
    return { contractId: id, name: other?.name ?? id, inForce: other?.in_force !== undefined }
  })

/** Whether it is in force and not implemented yet, and all its dependencies are in force. */
export function isReady(found: ProjectView, contract: ContractEntity): boolean {
  if (isOver(contract) || contract.in_force?.status !== 'agreed') return false
  return dependenciesOf(found, contract).every(({ inForce }) => inForce)
}

const MOST_CONTRACTS_SEARCHED = 1000

/** The names of the contracts in the dependency circle of a contract, itself first; empty if there is none. */
export function circularDependencies({ contracts }: ProjectView, contractId: string): string[] {
  const below = (id: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const next = [id]
    for (const one of next)
      for (const other of contracts.get(one)?.head.depends_on ?? []) {
        if (seen.has(other) || seen.size === MOST_CONTRACTS_SEARCHED) continue
        seen.add(other)
        next.push(other)
      }
    return seen
  }
  const all = below(contractId)
  if (!all.has(contractId)) return []
  const others = [...all].filter((id) => id !== contractId && below(id).has(contractId))
  return [contractId, ...others].map((id) => contracts.get(id)?.name ?? id)
}
