import { compareText } from '../../protocol/json/canonical.ts'
import { standsIn } from '../context/decision.ts'
import { isOver } from '../contract/next-step.ts'
import type { ProjectView } from '../view.ts'
import type { ContractEntity, PacketEntity } from '../views/entities.ts'
import type { BriefMatter, Changed, Listed } from './brief.ts'

/** Told of at most; a brief has no room for more. */
const PROJECTS = 20
const CONTRACTS = 100
const DECISIONS = 20
/** Looked at for that, of all projects together: neither grows with the state. */
const LOOKED_CONTRACTS = 500
const LOOKED_PACKETS = 2000

/** What some projects are about, for who comes new: what holds in them, and what was decided last, by whomever. */
export function backgroundOf(
  projects: readonly ProjectView[],
): Pick<BriefMatter, 'background' | 'decisions'> {
  return {
    background: {
      projects: { items: projects.slice(0, PROJECTS), isCut: projects.length > PROJECTS },
      inForce: contractsInForce(projects),
    },
    decisions: lastDecisions(projects),
  }
}

export const isInForce = (contract: ContractEntity): boolean =>
  contract.in_force !== undefined && !isOver(contract)

function contractsInForce(projects: readonly ProjectView[]): Listed<Changed<ContractEntity>> {
  const items: Changed<ContractEntity>[] = []
  let left = LOOKED_CONTRACTS
  for (const { project, contracts } of projects)
    for (const value of contracts.newestFirst()) {
      if (left-- === 0) return { items, isCut: true }
      if (!isInForce(value)) continue
      if (items.length === CONTRACTS) return { items, isCut: true }
      items.push({ projectId: project.project_id, value })
    }
  return { items, isCut: false }
}

function lastDecisions(projects: readonly ProjectView[]): Changed<PacketEntity>[] {
  const decisions: Changed<PacketEntity>[] = []
  let left = LOOKED_PACKETS
  for (const found of projects) {
    const { project, packets } = found
    const stands = standsIn(found)
    let ofProject = 0
    for (const value of packets.newestFirst()) {
      if (left <= 0 || ofProject === DECISIONS) break
      left--
      if (!stands(value)) continue
      decisions.push({ projectId: project.project_id, value })
      ofProject++
    }
  }
  return decisions.sort((a, b) => compareText(b.value.timestamp, a.value.timestamp)).slice(0, DECISIONS)
}
