import { latest, type Stamp } from '../protocol/stamp.ts'
import type { ProjectStatus } from '../protocol/words.ts'
import { contractStamp, statusOf } from './contract.ts'
import type { Packet, Project } from './model.ts'
import { repoStamp } from './repo.ts'
import type { ProjectView } from './view.ts'

const known = new WeakMap<ProjectView, ProjectStatus>()

/**
 * Planning until work starts, integrating once every contract is implemented, complete once all are verified. Found
 * once for every state of the project: it may have many contracts, and many may wait for it.
 */
export function projectStatus(found: ProjectView): ProjectStatus {
  let status = known.get(found)
  if (status === undefined) {
    status = findStatus(found)
    known.set(found, status)
  }
  return status
}

function findStatus({ contracts }: ProjectView): ProjectStatus {
  let allImplemented = contracts.size > 0
  let allVerified = contracts.size > 0
  let started = false
  for (const contract of contracts.oldestFirst()) {
    if (contract.implementations.length > 0) started = true
    const status = allImplemented ? statusOf(contract) : 'proposed'
    if (status !== 'verified') allVerified = false
    if (status !== 'verified' && status !== 'implemented') allImplemented = false
    if (started && !allImplemented) return 'implementing'
  }
  if (allVerified) return 'complete'
  return allImplemented ? 'integrating' : 'planning'
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
