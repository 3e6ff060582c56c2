import { Fault } from '../../protocol/fault.ts'
import { contractOf } from '../lookup.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, RevisionEntity } from '../views/entities.ts'
import { isOver } from './next-step.ts'

/** A contract that another one waits for, as it is now. */
export interface Dependency {
  readonly contractId: string
  /** Its id, where it is not here yet. */
  readonly name: string
  readonly inForce: boolean
}

/** The contracts of these ids, each once. */
export const dependenciesNamed = (found: ProjectView, words: readonly string[]): string[] => [
  ...new Set(words.map((word) => contractOf(found, word, 'dependsOn').contract_id)),
]

/** A contract cannot wait for itself; a ring of several does no harm, and is told to who closes it. */
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

/** In force and not implemented yet, and nothing that it depends on is missing. */
export function isReady(found: ProjectView, contract: ContractEntity): boolean {
  if (isOver(contract) || contract.in_force?.status !== 'agreed') return false
  return dependenciesOf(found, contract).every(({ inForce }) => inForce)
}

/** Of contracts that may depend on each other, so many are looked at. */
const LOOKED_AT = 1000

/** The names of those that a contract depends on, through others too, and that depend on it; it comes first. */
export function ringOf({ contracts }: ProjectView, contractId: string): string[] {
  const below = (id: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const next = [id]
    for (const one of next)
      for (const other of contracts.get(one)?.head.depends_on ?? []) {
        if (seen.has(other) || seen.size === LOOKED_AT) continue
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

const toBuild = ({ in_force, head }: ContractEntity): RevisionEntity => in_force?.revision ?? head
