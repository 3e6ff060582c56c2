import { compareText } from '../../protocol/json/canonical.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { ImplementationStatus } from '../../protocol/words.ts'
import { projectStatus } from '../project/project.ts'
import type { ProjectView } from '../view.ts'
import type {
  ContractEntity,
  PacketEntity,
  RepoEntity,
  RevisionEntity,
  WorkEntity,
} from '../views/entities.ts'

/**
 * What is here as a plain peer reads it: the keys of the document and of its reference implementation and no others, repos
 * by the ids that they have there, and times without a zone, because the reference cannot compare its own with any other.
 */

/** The id that a repo goes by there. */
export type IdThere = (repoId: string) => string

export const naive = (stamp: Stamp): string => stamp.slice(0, -1)
const maybeNaive = (stamp: Stamp | null): string | null => (stamp === null ? null : naive(stamp))

/**
 * A project that the peer lacks. Its stamp is so old that a peer which has got one meanwhile keeps its own:
 * taking ours would cost it every part that we do not know.
 */
export function phraseProject(found: ProjectView, idThere: IdThere, { isWhole }: { isWhole: boolean }) {
  const { project, repos, contracts, packets } = found
  return {
    project_id: project.project_id,
    name: project.name,
    objective: project.objective,
    status: projectStatus(found),
    repos: Array.from(repos.oldestFirst(), (repo) => phraseRepo(repo, idThere)),
    contracts: isWhole ? Array.from(contracts.oldestFirst(), (one) => phraseContract(one, idThere)) : [],
    context_history: isWhole ? Array.from(packets.oldestFirst(), (one) => phrasePacket(one, idThere)) : [],
    created_at: naive(project.created_at),
    updated_at: '1970-01-01T00:00:00.000000',
  }
}

export function phraseRepo(repo: RepoEntity, idThere: IdThere) {
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
    agent_endpoint: shownEndpoint(repo),
  }
}

/** Where nobody speaks for a repo, nobody is reached. */
export const shownEndpoint = ({ holder, endpoint }: RepoEntity): string | null =>
  holder === undefined ? null : endpoint

/** `updatedAt` decides whether the peer takes it: just newer than what it holds, and never newer than that. */
export function phraseContract(contract: ContractEntity, idThere: IdThere, updatedAt = contract.updated_at) {
  const { head } = contract
  return {
    contract_id: contract.contract_id,
    type: contract.type,
    name: contract.name,
    version: head.version,
    status: contract.status,
    content: head.content ?? {},
    proposed_by: idThere(head.repo_id),
    implementations: shownWorks(contract).map((work) => phraseWork(work, idThere)),
    history: phraseHistory(contract.history.revisions, idThere),
    created_at: naive(contract.created_at),
    updated_at: naive(updatedAt),
  }
}

/** All but the head. The reference files a version when it is replaced, with the time and note of the one that does so. */
const phraseHistory = (revisions: readonly RevisionEntity[], idThere: IdThere) =>
  revisions.slice(0, -1).map(({ version, content, repo_id, timestamp }, index) => ({
    version,
    content: content ?? {},
    proposed_by: idThere(repo_id),
    timestamp: naive(revisions[index + 1]?.timestamp ?? timestamp),
    change_notes: revisions[index + 1]?.note ?? '',
  }))

/** One per repo. A plain peer keeps the work on earlier versions: that is to be done again. */
export function shownWorks({ head, history }: ContractEntity): ShownWork[] {
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
      files: shownFiles(one),
    }))
}

export type ShownWork = Omit<WorkEntity, 'status'> & { readonly status: ImplementationStatus }

/** What is not written yet stands under files there. */
export const shownFiles = ({
  completed_at,
  files,
  estimated_files,
}: Pick<WorkEntity, 'completed_at' | 'files' | 'estimated_files'>): readonly string[] =>
  completed_at === null && files.length === 0 ? estimated_files : files

function isPreferred(one: WorkEntity, other: WorkEntity, head: RevisionEntity): boolean {
  if (one.revision === head.id || other.revision === head.id) return one.revision === head.id
  return one.timestamp > other.timestamp
}

const phraseWork = (
  { repo_id, agent_id, status, files, notes, plan, test_endpoint, started_at, completed_at }: ShownWork,
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
  completed_at: maybeNaive(completed_at),
})

export const phrasePacket = (packet: PacketEntity, idThere: IdThere) => ({
  packet_id: packet.packet_id,
  from_repo: idThere(packet.repo_id),
  from_agent: packet.agent_id,
  timestamp: naive(packet.timestamp),
  type: packet.type,
  content: packet.content ?? {},
  related_contracts: packet.related_contracts,
  reply_to: packet.reply_to,
})
