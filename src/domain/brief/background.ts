import { compareText } from '../../protocol/json/canonical.ts'
import { decisionHoldsIn } from '../context/decision.ts'
import { isOver } from '../contract/next-step.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'
import type { Changed, Listed } from './brief.ts'

/** Most entries of each kind; a brief has no space for more. */
const MOST_PROJECTS = 20
const MOST_CONTRACTS = 100
const MOST_DECISIONS = 20
/** Most entities searched for them in all projects together, so that the cost does not grow with the state. */
const MOST_CONTRACTS_SEARCHED = 500
const MOST_PACKETS_SEARCHED = 2000

/** Introduces projects to a newcomer: contracts in force and the latest decisions. */
export function backgroundOf(projects: readonly ProjectView[]) {
  return {
    background: {
      projects: { items: projects.slice(0, MOST_PROJECTS), isCut: projects.length > MOST_PROJECTS },
      inForce: contractsInForce(projects),
    },
    decisions: lastDecisions(projects),
  }
}

export const isInForce = (contract: ContractEntity): boolean =>
  contract.in_force !== undefined && !isOver(contract)

function contractsInForce(projects: readonly ProjectView[]): Listed<Changed<ContractEntity>> {
  const items: Changed<ContractEntity>[] = []
  let left = MOST_CONTRACTS_SEARCHED
  for (const { project, contracts } of projects)
    for (const value of contracts.newestFirst()) {
      if (left-- === 0) return { items, isCut: true }
      if (!isInForce(value)) continue
      if (items.length === MOST_CONTRACTS) return { items, isCut: true }
      items.push({ projectId: project.project_id, value })
    }
  return { items, isCut: false }
}

function lastDecisions(projects: readonly ProjectView[]): Changed<PacketEntity>[] {
  const decisions: Changed<PacketEntity>[] = []
  let left = MOST_PACKETS_SEARCHED
  for (const found of projects) {
    const { project, packets } = found
    const stands = decisionHoldsIn(found)
    let ofProject = 0
    for (const value of packets.newestFirst()) {
      if (left <= 0 || ofProject === MOST_DECISIONS) break
      left--
      if (!stands(value)) continue
      decisions.push({ projectId: project.project_id, value })
      ofProject++
    }
  }
  return decisions.sort((a, b) => compareText(b.value.timestamp, a.value.timestamp)).slice(0, MOST_DECISIONS)
}
