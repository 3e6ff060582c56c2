import type { z } from 'zod'
import { compareText } from '../protocol/canonical.ts'
import { Fault } from '../protocol/fault.ts'
import { explain } from '../protocol/issue.ts'
import { findUnstorable, isJsonObject, type JsonObject } from '../protocol/json.ts'
import { LIMITS } from '../protocol/limits.ts'
import { EARLIEST, type Stamp, secondsBetween } from '../protocol/stamp.ts'
import { type BaseStatus, isPlainLabel, PLAIN_LABEL } from '../protocol/words.ts'
import { baseOf, contractStamp, revisionId } from './contract.ts'
import { isEqual, joinBy, maxBy, unionOfTexts } from './join.ts'
import { CLAIMS, mergePacket, RESPONSES, REVISIONS, SIGHTINGS, VERIFICATIONS, WORK } from './merge.ts'
import type { Claim, Contract, Implementation, Packet, Project, Receipt, Repo, Revision } from './model.ts'
import { isOwnContract, isOwnPacket } from './own-form.ts'
import { packetStamp, projectStamp, REDACTED_CONTENT } from './project.ts'
import { repoStamp } from './repo.ts'
import {
  WireContract,
  type WireImplementation,
  type WireOnePacket,
  WirePacket,
  WireProject,
  WireReceipt,
  WireRepo,
  type WireRevision,
} from './wire.ts'

/**
 * The way in for what a peer sends: checked, never corrected, and brought into stored form.
 * Ids that can be computed are computed here; what the sender says of them does not count.
 */

export function admitProject(wire: unknown, now: Stamp, local?: Project): Project {
  const given = parse(WireProject, withoutParts(wire), 'project')
  refuseUnseen('project.name', given.name, local?.name.value)
  const at = given.updated_at
  const project: Project = {
    project_id: given.project_id,
    name: { value: given.name, at: given.stamps?.name ?? at },
    objective: { value: given.objective, at: given.stamps?.objective ?? at },
    archived: { value: given.archived ?? false, at: given.stamps?.archived ?? given.created_at },
    visibility: given.visibility ?? 'all',
    created_at: given.created_at,
    created_by: given.created_by ?? '',
    extra: extraOf(given, PROJECT_KEYS),
  }
  refuseFuture(`project ${project.project_id}`, projectStamp(project), now)
  return project
}

/** Parts are admitted on their own. */
function withoutParts(wire: unknown): unknown {
  return isJsonObject(wire) ? { ...wire, repos: [], contracts: [], context_history: [] } : wire
}

export function admitRepo(wire: unknown, { now, local }: { now: Stamp; local: Repo | undefined }): Repo {
  const given = parse(WireRepo, wire, 'repo')
  refuseUnseen('repo.name', given.name, local?.name)
  refuseUnseen('repo.role', given.role, local?.about.value.role)
  refuseUnseen('repo.language', given.language, local?.about.value.language)
  const stated = given.claims?.map(({ agent_id, claimed_at, released_at, agent_endpoint, endpoint_at }) => ({
    agent_id,
    claimed_at,
    released_at,
    endpoint: { value: agent_endpoint, at: endpoint_at },
  }))
  const repo: Repo = {
    repo_id: given.repo_id,
    name: given.name,
    about: {
      value: {
        role: given.role,
        language: given.language,
        relevant_paths: given.relevant_paths,
        url: given.url ?? null,
      },
      at: given.described_at ?? EARLIEST,
    },
    claims: joinBy(CLAIMS, stated ?? impliedClaims(given, local, now), []),
    extra: extraOf(given, REPO_KEYS),
  }
  refuseFuture(`repo ${repo.repo_id}`, repoStamp(repo), now)
  return repo
}

/** A claim without a time of its own counts from now, so it never beats an earlier one; a known one is not new. */
function impliedClaims(given: z.infer<typeof WireRepo>, local: Repo | undefined, now: Stamp): Claim[] {
  const agent = given.assigned_agent ?? given.agent_id ?? null
  if (agent === null) return []
  const endpoint = { value: given.agent_endpoint ?? null, at: now }
  const held = local?.claims.find((claim) => claim.agent_id === agent && claim.released_at === null)
  if (held === undefined) return [{ agent_id: agent, claimed_at: now, released_at: null, endpoint }]
  const moved = endpoint.value !== null && endpoint.value !== held.endpoint.value
  return [moved ? { ...held, endpoint } : held]
}

export interface ContractSetting {
  now: Stamp
  /** The repos of the project here: the parties of a contract whose sender does not name them. */
  repoIds: readonly string[]
  local?: Contract | undefined
}

export function admitContract(wire: unknown, { now, repoIds, local }: ContractSetting): Contract {
  const given = parse(WireContract, wire, 'contract', isOwnContract)
  refuseUnseen('contract.name', given.name, local?.name)
  const revisions = admitRevisions(given)
  const head = revisions.at(-1)
  if (head === undefined || head.version !== given.version)
    throw new Fault('invalid_params', `contract.version ${given.version} is older than its own history`)
  const distinct = new Set(revisions.map((revision) => revision.version)).size
  if (head.version > distinct)
    throw new Fault(
      'invalid_params',
      `contract.version ${head.version} has only ${distinct - 1} earlier versions in its history`,
      {
        next: 'Send the contract with its whole history',
      },
    )
  const implementations = [...given.implementations, ...given.past_implementations].map((one) =>
    admitImplementation(one, head, given.updated_at),
  )
  const contract: Contract = {
    contract_id: given.contract_id,
    type: given.type,
    name: given.name,
    created_at: given.created_at,
    parties: unionOfTexts(given.parties ?? repoIds, []),
    revisions,
    responses: joinBy(RESPONSES, given.responses, []),
    implementations: joinBy(WORK, implementations, []),
    verifications: joinBy(VERIFICATIONS, given.verifications, []),
    extra: extraOf(given, CONTRACT_KEYS),
  }
  refuseFuture(`contract ${contract.contract_id}`, contractStamp(contract), now)
  return contract
}

type GivenContract = z.infer<typeof WireContract>
type GivenRevision = z.infer<typeof WireRevision>

/** History and head together. A sender that knows no parents wrote a chain: each version stands on the one before. */
function admitRevisions(given: GivenContract): readonly Revision[] {
  const past = given.history.map((one) => admitRevision(one, one.base_status ?? 'negotiating', one.timestamp))
  const head = admitRevision(
    {
      timestamp: given.updated_at,
      ...given.head,
      version: given.version,
      content: given.content,
      proposed_by: given.proposed_by,
    },
    given.head?.base_status ?? baseOf(given.status),
    given.updated_at,
  )
  const all = joinBy(REVISIONS, past, [head])
  return given.head === undefined
    ? all.map((one, index) => ({ ...one, parent: all[index - 1]?.id ?? null }))
    : all
}

function admitRevision(given: GivenRevision, status: BaseStatus, changedAt: Stamp): Revision {
  return {
    id: revisionId(given.version, given.proposed_by, given.content),
    version: given.version,
    content: given.content,
    proposed_by: given.proposed_by,
    parent: given.parent ?? null,
    resolves: unionOfTexts(given.resolves ?? [], []),
    change_notes: given.change_notes ?? '',
    timestamp: given.timestamp,
    base: { value: status, at: given.base_at ?? changedAt },
  }
}

function admitImplementation(
  given: z.infer<typeof WireImplementation>,
  head: Revision,
  fallback: Stamp,
): Implementation {
  const stamps = [given.started_at, given.completed_at].filter(
    (stamp) => stamp !== null && stamp !== undefined,
  )
  const status = given.reported_status ?? given.status
  const files = given.files ?? []
  // Clients are shown estimated files under both keys.
  const isEstimate = status === 'in_progress' && isEqual(files, given.estimated_files)
  return {
    repo_id: given.repo_id,
    agent_id: given.agent_id ?? '',
    revision: given.revision ?? head.id,
    status,
    plan: given.plan ?? '',
    notes: given.notes ?? '',
    files: isEstimate ? [] : files,
    estimated_files: given.estimated_files ?? [],
    test_endpoint: given.test_endpoint ?? null,
    started_at: given.started_at ?? null,
    completed_at: given.completed_at ?? null,
    updated_at: given.updated_at ?? stamps.reduce((a, b) => maxBy(compareText, a, b), stamps[0] ?? fallback),
  }
}

export function admitPacket(wire: unknown, now: Stamp): Packet {
  const given = parse(WirePacket, wire, 'packet', isOwnPacket)
  const all = [given, ...(given.others ?? [])].map(onePacket)
  for (const packet of all) {
    if (packet.packet_id !== given.packet_id)
      throw new Fault('invalid_params', `packet.others: ${packet.packet_id} is another packet`)
    refuseFuture(`packet ${packet.packet_id}`, packetStamp(packet), now)
  }
  return all.reduce((a, b) => mergePacket(a, b).value)
}

function onePacket(given: z.infer<typeof WireOnePacket>): Packet {
  return {
    packet_id: given.packet_id,
    from_repo: given.from_repo,
    from_agent: given.from_agent ?? '',
    timestamp: given.timestamp,
    type: given.type,
    content: given.redacted ? REDACTED_CONTENT : given.content,
    related_contracts: given.related_contracts ?? [],
    reply_to: given.reply_to ?? null,
    redacted: given.redacted ?? null,
    others: [],
    extra: extraOf(given, PACKET_KEYS),
  }
}

export function admitReceipt(wire: unknown, now: Stamp): Receipt {
  const { repo_id, seen } = parse(WireReceipt, wire, 'receipt')
  for (const { at, of } of seen) refuseFuture(`receipt of repo ${repo_id}`, maxBy(compareText, at, of), now)
  return { repo_id, seen: joinBy(SIGHTINGS, seen, []) }
}

/** How much deeper content lies in what a peer sends than in the call that brought it to the peer. */
const WIRE_DEPTH = 8

/** What `isOwn` says yes to is taken as it is, because the schema would give it back equal. */
function parse<T extends z.ZodType>(
  schema: T,
  wire: unknown,
  noun: string,
  isOwn: (wire: unknown) => boolean = () => false,
): z.infer<T> {
  const unstorable = findUnstorable(wire, { root: [noun], depth: LIMITS.depth + WIRE_DEPTH })
  if (unstorable !== undefined) throw new Fault('invalid_params', unstorable)
  if (isOwn(wire)) return wire as z.infer<T>
  const parsed = schema.safeParse(wire)
  if (parsed.success) return parsed.data
  const { field, problem } = explain(parsed.error)
  const named = field === '' ? noun : `${noun}.${field}`
  throw new Fault('invalid_params', `${named}: ${problem}`, { data: { field: named } })
}

const PROJECT_KEYS = new Set([...Object.keys(WireProject.shape), 'status'])
const REPO_KEYS = new Set(Object.keys(WireRepo.shape))
const CONTRACT_KEYS = new Set([...Object.keys(WireContract.shape), 'conflicts'])
const PACKET_KEYS = new Set(Object.keys(WirePacket.shape))

function extraOf(given: Record<string, unknown>, known: ReadonlySet<string>): JsonObject {
  const unknown = Object.keys(given).filter((key) => !known.has(key))
  return Object.fromEntries(unknown.map((key) => [key, given[key]])) as JsonObject
}

/**
 * A label that is not what it looks like is not taken in. Where it is already, from before it was refused, what else
 * there is to say of the same thing is taken: replicas that hold it stay equal.
 */
function refuseUnseen(field: string, label: string, known: string | undefined): void {
  if (label === known || isPlainLabel(label)) return
  throw new Fault('invalid_params', `${field} ${PLAIN_LABEL}`, {
    next: 'Give it a name of letters, digits, spaces and signs at its home, then send it again',
    data: { field },
  })
}

/** A stamp far ahead would outvote everybody until that day; the sender may come back when its clock is right. */
function refuseFuture(what: string, stamp: Stamp, now: Stamp): void {
  if (stamp <= now) return
  const ahead = secondsBetween(now, stamp)
  if (ahead > LIMITS.clockAheadSeconds)
    throw new Fault(
      'unavailable',
      `${what} is stamped ${stamp}, ${Math.round(ahead)} s ahead of the clock here`,
      {
        next: "Set the sender's clock, then send it again",
      },
    )
}
