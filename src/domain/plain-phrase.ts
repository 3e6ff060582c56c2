import { compareText } from '../protocol/canonical.ts'
import type { Stamp } from '../protocol/stamp.ts'
import { contractStamp, headOf, statusOf } from './contract.ts'
import { implementationStatus } from './implementation.ts'
import type { Contract, Implementation, Packet, Project, Repo, Revision } from './model.ts'
import { projectStatus } from './project.ts'
import { shownFiles } from './render.ts'
import { activeClaim } from './repo.ts'
import type { ProjectView } from './view.ts'

/**
 * Stored state as a plain peer reads it: the keys of the document and of its reference implementation and
 * no others, and times without a zone, because the reference cannot compare its own with any other.
 */

export const naive = (stamp: Stamp): string => stamp.slice(0, -1)
const maybeNaive = (stamp: Stamp | null): string | null => (stamp === null ? null : naive(stamp))

/**
 * A project that the peer lacks. Its stamp is so old that a peer which has got one meanwhile keeps its own:
 * taking ours would cost it every part that we do not know.
 */
export function phraseProject(found: ProjectView, { isWhole }: { isWhole: boolean }) {
  const { project, repos, contracts, packets } = found
  return {
    project_id: project.project_id,
    name: project.name.value,
    objective: project.objective.value,
    status: projectStatus(found),
    repos: Array.from(repos.oldestFirst(), (repo) => phraseRepo(repo, project)),
    contracts: isWhole ? Array.from(contracts.oldestFirst(), (contract) => phraseContract(contract)) : [],
    context_history: isWhole ? Array.from(packets.oldestFirst(), phrasePacket) : [],
    created_at: naive(project.created_at),
    updated_at: '1970-01-01T00:00:00.000000',
  }
}

export function phraseRepo(repo: Repo, project: Project) {
  const claim = activeClaim(repo, project)
  const agent = claim?.agent_id ?? null
  return {
    repo_id: repo.repo_id,
    name: repo.name,
    ...repo.about.value,
    agent_id: agent,
    assigned_agent: agent,
    agent_endpoint: claim?.endpoint.value ?? null,
  }
}

/** `updatedAt` decides whether the peer takes it: just newer than what it holds, and never newer than that. */
export function phraseContract(contract: Contract, updatedAt: Stamp = contractStamp(contract)) {
  const head = headOf(contract)
  return {
    contract_id: contract.contract_id,
    type: contract.type,
    name: contract.name,
    version: head.version,
    status: statusOf(contract),
    content: head.content,
    proposed_by: head.proposed_by,
    implementations: phraseWork(contract),
    history: phraseHistory(contract.revisions),
    created_at: naive(contract.created_at),
    updated_at: naive(updatedAt),
  }
}

/** All but the head. The reference files the note of a version together with the content that it replaces. */
const phraseHistory = (revisions: readonly Revision[]) =>
  revisions.slice(0, -1).map(({ version, content, proposed_by, timestamp }, index) => ({
    version,
    content,
    proposed_by,
    timestamp: naive(timestamp),
    change_notes: revisions[index + 1]?.change_notes ?? '',
  }))

/** One implementation per repo. A plain peer keeps those of earlier revisions: they are to be done again. */
export function phraseWork(contract: Contract) {
  const head = headOf(contract)
  const byRepo = new Map<string, Implementation>()
  for (const one of contract.implementations) {
    const other = byRepo.get(one.repo_id)
    if (other === undefined || isPreferred(one, other, head)) byRepo.set(one.repo_id, one)
  }
  return [...byRepo.values()]
    .sort((a, b) => compareText(a.started_at ?? '', b.started_at ?? '') || compareText(a.repo_id, b.repo_id))
    .map((one) => ({
      repo_id: one.repo_id,
      agent_id: one.agent_id,
      status: one.revision === head.id ? implementationStatus(contract, one) : ('needs_revision' as const),
      files: shownFiles(one),
      notes: one.notes,
      plan: one.plan === '' ? null : one.plan,
      test_endpoint: one.test_endpoint,
      started_at: maybeNaive(one.started_at),
      completed_at: maybeNaive(one.completed_at),
    }))
}

function isPreferred(one: Implementation, other: Implementation, head: Revision): boolean {
  if (one.revision === head.id || other.revision === head.id) return one.revision === head.id
  return one.updated_at > other.updated_at
}

export const phrasePacket = (packet: Packet) => ({
  packet_id: packet.packet_id,
  from_repo: packet.from_repo,
  from_agent: packet.from_agent,
  timestamp: naive(packet.timestamp),
  type: packet.type,
  content: packet.content,
  related_contracts: packet.related_contracts,
  reply_to: packet.reply_to,
})
