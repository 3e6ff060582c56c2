import { defined } from '../protocol/collections/defined.ts'
import { jsonText, memoized } from '../protocol/json/text.ts'
import { projectStatus, updatedAt } from './project/project.ts'
import { gradeOf } from './proof/evidence.ts'
import type { ProjectView } from './view.ts'
import type {
  AnswerEntity,
  By,
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RecentHistory,
  RepoEntity,
  RevisionEntity,
  VerificationEntity,
  WorkEntity,
} from './views/entities.ts'

/** Views in the form of the CACP document. The document's fields come first and have the document's meaning. */

/** Most statements of a contract, and most claims of a repo, that are shown. */
export const MOST_SHOWN = 200

/** Replaces redacted content. */
export const REDACTED_CONTENT = { redacted: true }

export const renderProject = memoized((found: ProjectView) => {
  const { project, repos, contracts, packets } = found
  return {
    ...renderProjectHead(project),
    status: projectStatus(found),
    repos: Array.from(repos.oldestFirst(), renderRepo),
    contracts: Array.from(contracts.oldestFirst(), renderContract),
    context_history: Array.from(packets.oldestFirst(), renderPacket),
    updated_at: updatedAt(found),
  }
})

/** Whether the text of its contracts and packets is shorter than this; renders no more than it takes to tell. */
export function isProjectWithin({ contracts, packets }: ProjectView, chars: number): boolean {
  let room = chars
  const fits = (rendered: object): boolean => {
    room -= jsonText(rendered).length
    return room >= 0
  }
  for (const contract of contracts.oldestFirst()) if (!fits(renderContract(contract))) return false
  for (const packet of packets.oldestFirst()) if (!fits(renderPacket(packet))) return false
  return room >= 0
}

/** The project without its parts. */
export const renderProjectHead = memoized((project: ProjectEntity) => {
  const { project_id, name, objective, archived, visibility, created_at, created_by } = project
  const { archived_by, reported_by } = project
  return {
    project_id,
    name,
    objective,
    created_at,
    created_by,
    visibility,
    archived,
    ...defined({ archived_by, reported_by }),
  }
})

/** The summary of the reference implementation, with its field names. */
export function summarizeProject(found: ProjectView) {
  const { project, repos, contracts } = found
  return {
    projectId: project.project_id,
    name: project.name,
    status: projectStatus(found),
    repoCount: repos.size,
    contractCount: contracts.size,
    createdAt: project.created_at,
    archived: project.archived,
  }
}

export const renderRepo = memoized((repo: RepoEntity) => {
  const { repo_id, name, shown_name, role, language, relevant_paths, url, endpoint, holder, claims } = repo
  return {
    repo_id,
    name,
    role,
    language,
    relevant_paths,
    url,
    agent_id: holder?.agent_id ?? null,
    assigned_agent: holder?.agent_id ?? null,
    agent_endpoint: holder === undefined ? null : endpoint,
    ...(shown_name === name ? {} : { shown_name }),
    claims: claims
      .slice(0, MOST_SHOWN)
      .map(({ claim_id, agent_id, claimed_at, released_at, is_confirmed, standing, reported_by }) => ({
        claim_id,
        agent_id,
        claimed_at,
        released_at: released_at ?? null,
        confirmed: is_confirmed,
        standing,
        ...(reported_by === undefined ? {} : { reported_by }),
      })),
  }
})

export const renderContract = memoized((contract: ContractEntity) => {
  const { head, works } = contract
  const { content, version, proposed_by, ...aboutHead } = renderRevision(head)
  const { history, past_implementations, ...said } = renderHistory(contract, contract.recent(MOST_SHOWN))
  return {
    contract_id: contract.contract_id,
    type: contract.type,
    name: contract.name,
    version,
    status: contract.status,
    content,
    proposed_by,
    implementations: works.map(renderWork),
    history,
    created_at: contract.created_at,
    updated_at: contract.updated_at,
    parties: head.parties,
    conflicts: contract.conflicts.slice(-MOST_SHOWN).map(renderRevision),
    head: aboutHead,
    past_implementations,
    inForce: renderInForce(contract),
    objections: contract.objections,
    unanswered: contract.unanswered,
    withdrawn: contract.is_withdrawn,
    retired: contract.is_retired,
    ...said,
  }
})

/** The revision in force, whatever has been proposed since. */
export const renderInForce = ({ in_force }: ContractEntity) =>
  in_force === undefined
    ? null
    : { version: in_force.revision.version, status: in_force.status, revision: in_force.revision.id }

/** A page of a contract's history, without its head and without the works listed as its implementations. */
export function renderHistory({ head, works }: ContractEntity, recent: RecentHistory) {
  const { revisions, answers, verifications, earlier, since } = recent
  const shown = new Set(works.map(({ id }) => id))
  return {
    history: revisions.filter(({ id }) => id !== head.id).map(renderRevision),
    responses: answers.map(renderAnswer),
    verifications: verifications.map(renderVerification),
    past_implementations: recent.works.filter(({ id }) => !shown.has(id)).map(renderWork),
    ...(since === undefined ? {} : { earlier: { count: earlier, before: since } }),
  }
}

/** The author of something, and how that is proven: signed by its author's daemon, or reported by another one. */
function renderBy({ id, agent_id, by_person, mark, reported_by }: By) {
  return {
    statement: id,
    agent_id,
    proof: reported_by === undefined ? ('signed' as const) : ('reported' as const),
    ...(reported_by === undefined ? {} : { reported_by }),
    ...(mark === undefined ? {} : { mark }),
    ...(by_person ? { by_person } : {}),
  }
}

/** The document's ContractVersion, with further fields. */
function renderRevision(revision: RevisionEntity) {
  const { parties, needed, resolves, depends_on, redacted } = revision
  return {
    version: revision.version,
    content: revision.content ?? REDACTED_CONTENT,
    proposed_by: revision.repo_id,
    timestamp: revision.timestamp,
    change_notes: revision.note,
    revision: revision.id,
    parent: revision.parent,
    resolves,
    parties,
    needed,
    agreed: revision.is_agreed,
    ...(revision.retire ? { retire: true } : {}),
    ...(depends_on.length === 0 ? {} : { depends_on }),
    ...(redacted === null ? {} : { redacted }),
    by: renderBy(revision),
  }
}

function renderAnswer(answer: AnswerEntity) {
  const { id, revision, version, repo_id, agent_id, action, comment, suggested_change } = answer
  const { accepts, redacted } = answer
  return {
    response_id: id,
    revision,
    version,
    repo_id,
    agent_id,
    action,
    comment,
    suggested_change,
    ...(accepts.length === 0 ? {} : { accepts }),
    timestamp: answer.timestamp,
    ...(redacted === null ? {} : { redacted }),
    by: renderBy(answer),
  }
}

/** As the reference shows it: planned files under files, and null for an empty plan. */
function renderWork(work: WorkEntity) {
  const { repo_id, agent_id, revision, status, notes, plan, test_endpoint, estimated_files } = work
  return {
    repo_id,
    agent_id,
    status,
    files: reportedFiles(work),
    notes,
    plan: plan === '' ? null : plan,
    test_endpoint,
    started_at: work.started_at,
    completed_at: work.completed_at,
    updated_at: work.timestamp,
    estimated_files,
    revision,
    by: renderBy(work),
  }
}

/** Planned files are listed as files until the work is complete. */
export const reportedFiles = ({ completed_at, files, estimated_files }: WorkEntity): readonly string[] =>
  completed_at === null && files.length === 0 ? estimated_files : files

function renderVerification(verification: VerificationEntity) {
  const { id, revision, repo_id, agent_id, result, notes, failure_details, judged, blames } = verification
  return {
    verification_id: id,
    revision,
    repo_id,
    agent_id,
    result,
    notes,
    failure_details,
    judged,
    blames,
    grade: gradeOf(verification.evidence),
    ...(verification.evidence.length === 0 ? {} : { evidence: verification.evidence }),
    timestamp: verification.timestamp,
    ...(verification.redacted === null ? {} : { redacted: verification.redacted }),
    by: renderBy(verification),
  }
}

export const renderPacket = memoized((packet: PacketEntity) => {
  const { packet_id, repo_id, agent_id, timestamp, type, content, related_contracts, reply_to } = packet
  return {
    packet_id,
    from_repo: repo_id,
    from_agent: agent_id,
    timestamp,
    type,
    content: content ?? REDACTED_CONTENT,
    related_contracts,
    reply_to,
    ...(packet.redacted === null ? {} : { redacted: packet.redacted }),
    by: renderBy(packet),
  }
})
