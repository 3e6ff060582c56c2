import { Fault } from '../protocol/fault.ts'
import { headOf } from './contract.ts'
import type { Caller } from './env.ts'
import { isEqual, type Joining, joinBy } from './join.ts'
import {
  CLAIMS,
  mergePacket,
  mergeProject,
  mergeRepo,
  RESPONSES,
  REVISIONS,
  VERIFICATIONS,
  WORK,
} from './merge.ts'
import type { Claim, Contract, Packet, Project, Receipt, Repo, Revision } from './model.ts'
import { activeClaim } from './repo.ts'

/**
 * The part of a project that is its sender's own. A daemon that was let in hands on what others wrote, and is
 * trusted with it; a peer that knows the document only speaks for its own repo, and for nothing else.
 */
export interface OwnPart {
  readonly agentId: string
  /** repo_id of those that it holds, or that are named after its repository and free. */
  readonly repoIds: ReadonlySet<string>
}

/** What is left of an object, and what of it was not the sender's to say, in words. */
export interface Contained<T> {
  readonly value: T
  readonly foreign: readonly string[]
}

export function ownPartOf(
  project: Project,
  repos: Iterable<Repo>,
  { agentId, repoName }: Pick<Caller, 'agentId' | 'repoName'>,
): OwnPart {
  const repoIds = new Set<string>()
  for (const repo of repos) {
    const holder = activeClaim(repo, project)?.agent_id
    if (holder === agentId || (holder === undefined && repo.name === repoName)) repoIds.add(repo.repo_id)
  }
  return { agentId, repoIds }
}

/** Name and objective are every member's; a project that nobody knew yet is its sender's to describe. */
export function containProject(
  incoming: Project,
  local: Project | undefined,
  own: OwnPart,
): Contained<Project> {
  if (local === undefined || own.repoIds.size > 0 || !mergeProject(local, incoming).changed)
    return { value: incoming, foreign: [] }
  return { value: local, foreign: ['its name and objective'] }
}

/** Anybody may add a repo; to claim or to describe it is for the agent that holds it. */
export function containRepo(
  incoming: Repo,
  local: Repo | undefined,
  { own, project }: { own: OwnPart; project: Project },
): Contained<Repo> {
  const holder = local && activeClaim(local, project)
  const claims = sift(CLAIMS, incoming.claims, {
    known: local?.claims ?? [],
    isOwn: (claim) => claim.agent_id === own.agentId && !isBefore(claim, holder),
  })
  const foreign = claims.foreign.map(({ agent_id }) => `the claim of ${agent_id}`)
  const value = { ...incoming, claims: claims.kept }
  if (local === undefined || own.repoIds.has(local.repo_id)) return { value, foreign }
  const isDescribedAnew = mergeRepo(local, { ...incoming, claims: [] }).changed
  return {
    value: { ...local, claims: claims.kept },
    foreign: isDescribedAnew ? [...foreign, 'its description'] : foreign,
  }
}

/** Whoever comes second cannot say that it came first. */
const isBefore = (claim: Claim, holder: Claim | undefined): boolean =>
  holder !== undefined && holder.agent_id !== claim.agent_id && claim.claimed_at <= holder.claimed_at

export function containContract(
  incoming: Contract,
  local: Contract | undefined,
  own: OwnPart,
): Contained<Contract> {
  const isOwn = ({ repo_id }: { repo_id: string }) => own.repoIds.has(repo_id)
  const responses = sift(RESPONSES, incoming.responses, { known: local?.responses ?? [], isOwn })
  const work = sift(WORK, incoming.implementations, { known: local?.implementations ?? [], isOwn })
  const verifications = sift(VERIFICATIONS, incoming.verifications, {
    known: local?.verifications ?? [],
    isOwn,
  })
  const answers = new Set(
    responses.kept.filter(isOwn).map(({ revision, timestamp }) => `${revision} ${timestamp}`),
  )
  const revisions = siftRevisions(incoming.revisions, local?.revisions ?? [], {
    isOwn: ({ proposed_by }) => own.repoIds.has(proposed_by),
    isAnswered: ({ id, base }) => answers.has(`${id} ${base.at}`),
  })
  // What the sender did itself without a right to it, and a version that was long followed by others, is no
  // news to wait for: it is left out, and the sender gets what is here instead.
  const isOthers = ({ agent_id }: { agent_id: string }) => agent_id !== own.agentId
  const newest = local === undefined ? 0 : headOf(local).version
  const foreign = [
    ...revisions.foreign
      .filter(({ version }) => version >= newest)
      .map(({ version, proposed_by }) => `version ${version} by repo ${proposed_by}`),
    ...responses.foreign.filter(isOthers).map(({ repo_id }) => `a response of repo ${repo_id}`),
    ...work.foreign.map(({ repo_id }) => `the implementation of repo ${repo_id}`),
    ...verifications.foreign.filter(isOthers).map(({ repo_id }) => `a verification of repo ${repo_id}`),
  ]
  if (local === undefined && revisions.kept.length === 0)
    throw notYours(`contract ${incoming.contract_id}`, foreign)
  return {
    value: {
      ...(local ?? incoming),
      revisions: revisions.kept,
      responses: responses.kept,
      implementations: work.kept,
      verifications: verifications.kept,
    },
    foreign,
  }
}

/** All or nothing: a packet has one author. */
export function containPacket(incoming: Packet, local: Packet | undefined, own: OwnPart): Packet {
  const isOwn = ({ from_repo, from_agent }: Packet) =>
    own.repoIds.has(from_repo) && (from_agent === '' || from_agent === own.agentId)
  const mayChange = isOwn(incoming) && incoming.others.every(isOwn) && (local === undefined || isOwn(local))
  if (mayChange || (local !== undefined && !mergePacket(local, incoming).changed)) return incoming
  throw notYours(`packet ${incoming.packet_id}`, [`what repo ${incoming.from_repo} shared`])
}

/** What a repo's agent was shown, only that agent's daemon knows. */
export function containReceipt(incoming: Receipt, own: OwnPart): Receipt {
  if (own.repoIds.has(incoming.repo_id)) return incoming
  throw notYours('receipt', [`what repo ${incoming.repo_id} was shown`])
}

/** The most that is said of what was not taken. */
const MOST_NAMED = 5

export function notYours(what: string, foreign: readonly string[]): Fault {
  const more = foreign.length > MOST_NAMED ? ` and ${foreign.length - MOST_NAMED} more` : ''
  return new Fault(
    'forbidden',
    `${what}: this peer speaks for its own repo only, and cannot bring ${foreign.slice(0, MOST_NAMED).join(', ')}${more}`,
  )
}

interface Sifted<T> {
  readonly kept: readonly T[]
  readonly foreign: readonly T[]
}

/** Keeps what is the sender's own and what is here already. */
function sift<T>(
  joining: Joining<T>,
  given: readonly T[],
  { known, isOwn }: { known: readonly T[]; isOwn: (item: T) => boolean },
): Sifted<T> {
  const here = new Map(known.map((item) => [joining.key(item), item]))
  const isNews = (item: T) => {
    const present = here.get(joining.key(item))
    return present === undefined || !isEqual(joining.join(present, item), present)
  }
  const foreign = given.filter((item) => isNews(item) && !isOwn(item))
  return { kept: given.filter((item) => !foreign.includes(item)), foreign }
}

/**
 * A version stands on the one before it: where that is missing, it has to wait as well. Where a known one
 * stands moves only with an answer.
 */
function siftRevisions(
  given: readonly Revision[],
  known: readonly Revision[],
  {
    isOwn,
    isAnswered,
  }: { isOwn: (revision: Revision) => boolean; isAnswered: (revision: Revision) => boolean },
): Sifted<Revision> {
  const here = new Map(known.map((revision) => [revision.id, revision]))
  const versions = new Set([0, ...known.map(({ version }) => version)])
  const kept: Revision[] = []
  const foreign: Revision[] = []
  for (const revision of joinBy(REVISIONS, given, [])) {
    const present = here.get(revision.id)
    if (present === undefined) {
      const isAllowed = isOwn(revision) && versions.has(revision.version - 1)
      if (isAllowed) versions.add(revision.version)
      const list = isAllowed ? kept : foreign
      list.push(revision)
    } else if (isOwn(revision)) kept.push(revision)
    else {
      const still = isAnswered(revision) ? revision : { ...revision, base: present.base }
      const isKnown = isEqual({ ...REVISIONS.join(present, still), base: present.base }, present)
      const list = isKnown ? kept : foreign
      list.push(still)
    }
  }
  return { kept, foreign }
}
