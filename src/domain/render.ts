import { jsonText, lasting } from '../protocol/json-text.ts'
import { conflictsOf, contractStamp, headOf, statusOf } from './contract.ts'
import { implementationStatus, workOn } from './implementation.ts'
import type { Contract, Implementation, Packet, Project, Repo, Revision } from './model.ts'
import { projectStatus, updatedAt } from './project.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView } from './view.ts'

/**
 * Stored state as the document writes it. The document's keys come first and mean what it says; behind them
 * stand the keys that let another cacpd rebuild the stored value without loss (`admit.ts` reads them back).
 */

export const renderProject = lasting((found: ProjectView) => {
  const { project, repos, contracts, packets } = found
  return Object.assign(renderProjectHead(project), {
    status: projectStatus(found),
    repos: Array.from(repos.oldestFirst(), (repo) => renderRepo(repo, project)),
    contracts: Array.from(contracts.oldestFirst(), renderContract),
    context_history: Array.from(packets.oldestFirst(), renderPacket),
    updated_at: updatedAt(found),
  })
})

/** Whether its contracts and packets have less text than that; no more of them is written than it takes to know. */
export function isProjectWithin({ contracts, packets }: ProjectView, chars: number): boolean {
  let room = chars
  for (const contract of contracts.oldestFirst()) {
    room -= jsonText(renderContract(contract)).length
    if (room < 0) return false
  }
  for (const packet of packets.oldestFirst()) {
    room -= jsonText(renderPacket(packet)).length
    if (room < 0) return false
  }
  return room >= 0
}

/** The project's own registers, without its parts. */
export function renderProjectHead(project: Project) {
  const { name, objective, archived } = project
  return {
    ...project.extra,
    project_id: project.project_id,
    visibility: project.visibility,
    created_at: project.created_at,
    created_by: project.created_by,
    name: name.value,
    objective: objective.value,
    archived: archived.value,
    stamps: { name: name.at, objective: objective.at, archived: archived.at },
  }
}

/** The reference's summary, in its spelling. */
export function summarizeProject(found: ProjectView) {
  const { project, repos, contracts } = found
  return {
    projectId: project.project_id,
    name: project.name.value,
    status: projectStatus(found),
    repoCount: repos.size,
    contractCount: contracts.size,
    createdAt: project.created_at,
  }
}

export function renderRepo(repo: Repo, project: Project) {
  const claim = activeClaim(repo, project)
  return {
    ...repo.extra,
    repo_id: repo.repo_id,
    name: repo.name,
    ...repo.about.value,
    agent_id: claim?.agent_id ?? null,
    assigned_agent: claim?.agent_id ?? null,
    agent_endpoint: claim?.endpoint.value ?? null,
    described_at: repo.about.at,
    claims: repo.claims.map(({ agent_id, claimed_at, released_at, endpoint }) => ({
      agent_id,
      claimed_at,
      released_at,
      agent_endpoint: endpoint.value,
      endpoint_at: endpoint.at,
    })),
  }
}

export const renderContract = lasting((contract: Contract) => {
  const { implementations, past_implementations, ...bare } = bareContract(contract)
  return {
    ...bare,
    implementations: implementations.map(showWork),
    past_implementations: past_implementations.map(showWork),
    conflicts: conflictsOf(contract).map(renderRevision),
  }
})

/**
 * As it travels between daemons. Without its conflicts: each of them is in its history, and whoever gets that finds
 * them there.
 */
export function bareContract(contract: Contract) {
  const head = headOf(contract)
  const { content, version, proposed_by, ...aboutHead } = renderRevision(head)
  return {
    ...contract.extra,
    contract_id: contract.contract_id,
    type: contract.type,
    name: contract.name,
    version,
    status: statusOf(contract),
    content,
    proposed_by,
    implementations: workOn(contract, head.id).map((one) => renderImplementation(contract, one)),
    history: contract.revisions.slice(0, -1).map(renderRevision),
    created_at: contract.created_at,
    updated_at: contractStamp(contract),
    parties: contract.parties,
    responses: contract.responses,
    verifications: contract.verifications,
    head: aboutHead,
    past_implementations: contract.implementations
      .filter((one) => one.revision !== head.id)
      .map((one) => renderImplementation(contract, one)),
  }
}

/** The document's ContractVersion, and what else is known of it. */
export function renderRevision({ id, base, ...revision }: Revision) {
  return { ...revision, revision: id, base_status: base.value, base_at: base.at }
}

export function renderImplementation(contract: Contract, implementation: Implementation) {
  return {
    ...implementation,
    status: implementationStatus(contract, implementation),
    reported_status: implementation.status,
  }
}

/** As the reference shows it: what is not begun to be written yet under files, and no plan as none. */
export function showWork<Work extends Pick<Implementation, 'status' | 'files' | 'estimated_files' | 'plan'>>(
  work: Work,
): Omit<Work, 'plan'> & { plan: string | null } {
  return { ...work, files: shownFiles(work), plan: work.plan === '' ? null : work.plan }
}

export const shownFiles = ({
  status,
  files,
  estimated_files,
}: Pick<Implementation, 'status' | 'files' | 'estimated_files'>): readonly string[] =>
  status === 'in_progress' && files.length === 0 ? estimated_files : files

export type RenderedPacket = Omit<Packet, 'extra' | 'redacted' | 'others'> & {
  redacted?: Packet['redacted']
  others?: RenderedPacket[]
}

export const renderPacket = lasting(({ extra, redacted, others, ...packet }: Packet): RenderedPacket => {
  return {
    ...extra,
    ...packet,
    ...(redacted === null ? {} : { redacted }),
    ...(others.length === 0 ? {} : { others: others.map(renderPacket) }),
  }
})
