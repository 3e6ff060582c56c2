import { compareText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { ImplementationStatus } from '../../protocol/words.ts'
import { projectStatus } from '../project/project.ts'
import { reportedFiles } from '../render.ts'
import type { ProjectView } from '../view.ts'
import type {
  ContractEntity,
  PacketEntity,
  RepoEntity,
  RevisionEntity,
  WorkEntity,
} from '../views/entities.ts'

/**
 * Entities in the form in which a plain peer reads them: with the fields of the CACP document and its reference
 * implementation only, with the peer's repo ids, and with times without a zone, because the reference cannot compare
 * its own times with any others.
 */

/** Translates a repo id into the peer's id. */
type IdThere = (repoId: string) => string

const naive = (stamp: Stamp): string => stamp.slice(0, -1)

/**
 * A project that the peer lacks. Its updated_at is so old that a peer that has got the project meanwhile keeps its
 * own: replacing it would remove every part that is unknown here.
 */
export function toPlainProject(found: ProjectView, idThere: IdThere, { isWhole }: { isWhole: boolean }) {
  const { project, repos, contracts, packets } = found
  return {
    project_id: project.project_id,
    name: project.name,
    objective: project.objective,
    status: projectStatus(found),
    repos: Array.from(repos.oldestFirst(), (repo) => toPlainRepo(repo, idThere)),
    contracts: isWhole ? Array.from(contracts.oldestFirst(), (one) => toPlainContract(one, idThere)) : [],
    context_history: isWhole ? Array.from(packets.oldestFirst(), (one) => toPlainPacket(one, idThere)) : [],
    created_at: naive(project.created_at),
    updated_at: '1970-01-01T00:00:00.000000',
  }
}

export function toPlainRepo(repo: RepoEntity, idThere: IdThere) {
  const { repo_id, name, role, language, relevant_paths, url, holder } = repo
  const agent = holder?.agent_id ?? null
  return {
    repo_id: idThere(repo_id),
    name,
    role,
    language,
    relevant_paths,
    url,
    agent_id: agent,
    assigned_agent: agent,
    agent_endpoint: plainEndpoint(repo),
  }
}

/** Null while nobody speaks for the repo. */
export const plainEndpoint = ({ holder, endpoint }: RepoEntity): string | null =>
  holder === undefined ? null : endpoint

/** `updatedAt` decides whether the peer accepts the contract: it must be just newer than what the peer has. */
export function toPlainContract(contract: ContractEntity, idThere: IdThere, updatedAt = contract.updated_at) {
  const { head } = contract
  return {
    contract_id: contract.contract_id,
    type: contract.type,
    name: contract.name,
    version: head.version,
    status: contract.status,
    content: head.content ?? {},
    proposed_by: idThere(head.repo_id),
    implementations: plainWorks(contract).map((work) => phraseWork(work, idThere)),
    history: phraseHistory(contract.history.revisions, idThere),
    created_at: naive(contract.created_at),
    updated_at: naive(updatedAt),
  }
}

/** All versions but the head. The reference files a version with the time and note of the one that replaces it. */
const phraseHistory = (revisions: readonly RevisionEntity[], idThere: IdThere) =>
  revisions.slice(0, -1).map(({ version, content, repo_id, timestamp }, index) => ({
    version,
    content: content ?? {},
    proposed_by: idThere(repo_id),
    timestamp: naive(revisions[index + 1]?.timestamp ?? timestamp),
    change_notes: revisions[index + 1]?.note ?? '',
  }))

/** One per repo. A plain peer keeps work on earlier versions, which has to be revised. */
export function plainWorks({ head, history }: ContractEntity): PlainWork[] {
  const byRepo = new Map<string, WorkEntity>()
  for (const one of history.works) {
    const other = byRepo.get(one.repo_id)
    if (other === undefined || isPreferred(one, other, head)) byRepo.set(one.repo_id, one)
  }
  return [...byRepo.values()]
    .sort((a, b) => compareText(a.started_at, b.started_at) || compareText(a.repo_id, b.repo_id))
    .map((one) => ({
      ...one,
      status: one.revision === head.id ? one.status : ('needs_revision' as const),
      files: reportedFiles(one),
    }))
}

type PlainWork = Omit<WorkEntity, 'status'> & { readonly status: ImplementationStatus }

function isPreferred(one: WorkEntity, other: WorkEntity, head: RevisionEntity): boolean {
  if (one.revision === head.id || other.revision === head.id) return one.revision === head.id
  return one.timestamp > other.timestamp
}

const phraseWork = (
  { repo_id, agent_id, status, files, notes, plan, test_endpoint, started_at, completed_at }: PlainWork,
  idThere: IdThere,
) => ({
  repo_id: idThere(repo_id),
  agent_id,
  status,
  files,
  notes,
  plan: plan === '' ? null : plan,
  test_endpoint,
  started_at: naive(started_at),
  completed_at: completed_at && naive(completed_at),
})

export const toPlainPacket = (packet: PacketEntity, idThere: IdThere) => ({
  packet_id: packet.packet_id,
  from_repo: idThere(packet.repo_id),
  from_agent: packet.agent_id,
  timestamp: naive(packet.timestamp),
  type: packet.type,
  content: packet.content ?? {},
  related_contracts: packet.related_contracts,
  reply_to: packet.reply_to,
})
