import type { z } from 'zod'
import { canonicalText, compareText, hashOf } from '../protocol/canonical.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { ContractStatus } from '../protocol/words.ts'
import { headOf, revisionId, statusOf } from './contract.ts'
import type {
  Contract,
  ContractForm,
  Form,
  Packet,
  PacketForm,
  Project,
  ProjectForm,
  Repo,
  RepoForm,
} from './model.ts'
import { phraseWork } from './plain-phrase.ts'
import { activeClaim } from './repo.ts'
import type { WireContract, WireOnePacket, WireRepo } from './wire.ts'

/**
 * Normal forms: two objects have the same one exactly when a plain peer could not tell them apart but by
 * their times, which it changes as it likes.
 */

export const sameForm = (a: Form | null | undefined, b: Form | null | undefined): boolean =>
  a === b || (a != null && b != null && canonicalText(a) === canonicalText(b))

export const projectForm = ({ name, objective }: { name: string; objective: string }): ProjectForm => ({
  kind: 'project',
  name,
  objective,
})

export const ownProjectForm = ({ name, objective }: Project): ProjectForm =>
  projectForm({ name: name.value, objective: objective.value })

export function repoForm(given: z.infer<typeof WireRepo>): RepoForm {
  const { role, language, relevant_paths, url = null } = given
  return {
    kind: 'repo',
    about: { role, language, relevant_paths, url },
    agent: given.assigned_agent ?? given.agent_id ?? null,
    endpoint: given.agent_endpoint ?? null,
  }
}

export function ownRepoForm(repo: Repo, project: Project): RepoForm {
  const claim = activeClaim(repo, project)
  return {
    kind: 'repo',
    about: repo.about.value,
    agent: claim?.agent_id ?? null,
    endpoint: claim?.endpoint.value ?? null,
  }
}

export function contractForm(given: z.infer<typeof WireContract>): ContractForm {
  return formOfContract({
    head: revisionId(given.version, given.proposed_by, given.content),
    status: given.status,
    past: given.history.map((one) => revisionId(one.version, one.proposed_by, one.content)),
    work: given.implementations,
  })
}

const ownForms = new WeakMap<Contract, ContractForm>()

export function ownContractForm(contract: Contract): ContractForm {
  const known = ownForms.get(contract)
  if (known !== undefined) return known
  const form = formOfContract({
    head: headOf(contract).id,
    status: statusOf(contract),
    past: contract.revisions.slice(0, -1).map((one) => one.id),
    work: phraseWork(contract),
  })
  ownForms.set(contract, form)
  return form
}

interface Said {
  readonly agent_id?: string | null | undefined
  readonly status: string
  readonly files?: readonly string[] | null | undefined
  readonly notes?: string | null | undefined
  readonly plan?: string | null | undefined
  readonly test_endpoint?: string | null | undefined
}

/** What an implementation says, without its times; what is left out and what is empty are the same. */
export const workForm = ({ agent_id, status, files, notes, plan, test_endpoint }: Said): string =>
  hashOf([agent_id ?? '', status, files ?? [], notes ?? '', plan ?? '', test_endpoint ?? '']).slice(0, 32)

function formOfContract(given: {
  head: string
  status: ContractStatus
  past: readonly string[]
  work: readonly (Said & { readonly repo_id: string })[]
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

export const packetForm = (given: z.infer<typeof WireOnePacket>): PacketForm =>
  formOfPacket({ ...given, from_agent: given.from_agent ?? '' })

export const ownPacketForm = (packet: Packet): PacketForm => formOfPacket(packet)

function formOfPacket(given: {
  from_repo: string
  from_agent: string
  type: string
  content: JsonObject
  related_contracts?: readonly string[] | null | undefined
  reply_to?: string | null | undefined
}): PacketForm {
  const { from_repo, from_agent, type, content, related_contracts, reply_to } = given
  const said = [from_repo, from_agent, type, content, related_contracts ?? [], reply_to ?? null]
  return { kind: 'packet', hash: hashOf(said).slice(0, 32) }
}
