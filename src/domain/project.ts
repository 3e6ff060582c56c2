import { latest, type Stamp } from '../protocol/stamp.ts'
import type { ProjectStatus } from '../protocol/words.ts'
import { contractStamp, statusOf } from './contract.ts'
import type { Packet, Project } from './model.ts'
import { repoStamp } from './repo.ts'
import type { ProjectView } from './view.ts'

/** Planning until work starts, integrating once every contract is implemented, complete once all are verified. */
export function projectStatus({ contracts }: ProjectView): ProjectStatus {
  let allImplemented = contracts.size > 0
  let allVerified = contracts.size > 0
  let started = false
  for (const contract of contracts.oldestFirst()) {
    const status = statusOf(contract)
    if (contract.implementations.length > 0) started = true
    if (status !== 'verified') allVerified = false
    if (status !== 'verified' && status !== 'implemented') allImplemented = false
  }
  if (allVerified) return 'complete'
  if (allImplemented) return 'integrating'
  return started ? 'implementing' : 'planning'
}

/** The stamp of the project's own registers, without its parts. */
export function projectStamp(project: Project): Stamp {
  return latest([project.created_at, project.name.at, project.objective.at, project.archived.at])
}

/** What stands in a packet whose content was taken back. */
export const REDACTED_CONTENT = { redacted: true }

export function packetStamp(packet: Packet): Stamp {
  return packet.redacted === null ? packet.timestamp : latest([packet.timestamp, packet.redacted.at])
}

/** The newest stamp anywhere inside. */
export function updatedAt({ project, repos, contracts, packets }: ProjectView): Stamp {
  let newest = projectStamp(project)
  const see = (stamp: Stamp) => {
    if (stamp > newest) newest = stamp
  }
  for (const repo of repos.oldestFirst()) see(repoStamp(repo))
  for (const contract of contracts.oldestFirst()) see(contractStamp(contract))
  for (const packet of packets.oldestFirst()) see(packetStamp(packet))
  return newest
}
