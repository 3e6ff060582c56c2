import { oncePer } from '../../protocol/collections/once-per.ts'
import { canonicalText, compareText, hashOf } from '../../protocol/json/canonical.ts'
import type { JsonObject } from '../../protocol/json/json.ts'
import type { ContractStatus } from '../../protocol/words.ts'
import type { ContractForm, Form, PacketForm, ProjectForm, RepoForm } from '../model.ts'
import type {
  ContractEntity,
  PacketEntity,
  ProjectEntity,
  RepoEntity,
  WorkEntity,
} from '../views/entities.ts'
import type { GivenContract, GivenPacket, GivenRepo } from './given.ts'
import { plainEndpoint, plainWorks } from './phrase.ts'

/**
 * Normal forms: two objects have the same form exactly when a plain peer could tell them apart only by their times,
 * which it changes freely. Repos have the ids that they have here.
 */

export const sameForm = (a: Form | null | undefined, b: Form | null | undefined): boolean =>
  a === b || (a != null && b != null && canonicalText(a) === canonicalText(b))

export const projectForm = ({ name, objective }: Pick<ProjectEntity, 'name' | 'objective'>): ProjectForm => ({
  kind: 'project',
  name,
  objective,
})

export function repoForm(given: GivenRepo): RepoForm {
  const { role, language, relevant_paths, url, agent_endpoint: endpoint } = given
  const agent = given.assigned_agent ?? given.agent_id ?? null
  return { kind: 'repo', about: { role, language, relevant_paths, url }, agent, endpoint }
}

export function ownRepoForm(repo: RepoEntity): RepoForm {
  const { role, language, relevant_paths, url, holder } = repo
  const about = { role, language, relevant_paths, url }
  return { kind: 'repo', about, agent: holder?.agent_id ?? null, endpoint: plainEndpoint(repo) }
}

/** What distinguishes the versions of a contract for a peer that knows no statements. */
export function versionKey(version: number, repoId: string, content: JsonObject | null): string {
  return hashOf([version, repoId, content === null ? null : hashOfContent(content)])
}

/** The content stays the same object as long as its statement is stored. */
const hashOfContent = oncePer<JsonObject, string>(hashOf)

export const contractForm = (given: GivenContract): ContractForm =>
  formOfContract({
    head: versionKey(given.version, given.proposed_by, given.content),
    status: given.status,
    past: given.history.map((one) => versionKey(one.version, one.proposed_by, one.content)),
    work: given.implementations,
  })

export const ownContractForm = oncePer((contract: ContractEntity): ContractForm => {
  const { head, status, history } = contract
  return formOfContract({
    head: versionKey(head.version, head.repo_id, head.content),
    status,
    past: history.revisions.map((one) => versionKey(one.version, one.repo_id, one.content)),
    work: plainWorks(contract),
  })
})

interface ReportedWork extends Pick<WorkEntity, 'files' | 'notes' | 'plan' | 'test_endpoint'> {
  readonly agent_id?: string | null | undefined
  readonly status: string
}

/** Hash of an implementation report without its times. */
export const workForm = ({ agent_id, status, files, notes, plan, test_endpoint }: ReportedWork): string =>
  hashOf([agent_id ?? '', status, files, notes, plan, test_endpoint ?? '']).slice(0, 32)

function formOfContract(given: {
  head: string
  status: ContractStatus
  past: readonly string[]
  work: readonly (ReportedWork & { readonly repo_id: string })[]
}): ContractForm {
  const past = [...new Set(given.past)].filter((id) => id !== given.head).sort(compareText)
  return {
    kind: 'contract',
    head: given.head,
    status: given.status,
    past: past.length === 0 ? '' : hashOf(past).slice(0, 32),
    work: Object.fromEntries(given.work.map((one) => [one.repo_id, workForm(one)])),
  }
}

export const packetForm = (given: GivenPacket): PacketForm =>
  formOfPacket([given.from_repo, given.from_agent ?? ''], given)

export const ownPacketForm = (packet: PacketEntity): PacketForm =>
  formOfPacket([packet.repo_id, packet.agent_id], packet)

function formOfPacket(
  from: readonly [repo: string, agent: string],
  said: GivenPacket | PacketEntity,
): PacketForm {
  const { type, content, related_contracts, reply_to } = said
  const hash = hashOf([...from, type, content, related_contracts, reply_to ?? null]).slice(0, 32)
  return { kind: 'packet', hash }
}
