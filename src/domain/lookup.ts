import { filtered, findIn, firstOf, isAny } from '../protocol/collections/iterables.ts'
import { Fault } from '../protocol/fault.ts'
import { questionName } from './context/question.ts'
import { lostRepoFault } from './contract/lost-repo.ts'
import type { Caller, Env, Pinned } from './env.ts'
import type { Invitation, Peer } from './model.ts'
import { closestName, didYouMean } from './names/only-one.ts'
import { quoted } from './names/quoted.ts'
import { type Advice, howToJoin } from './project/joining-advice.ts'
import { asOwnFounder, mayActFor, speaksElsewhere } from './repo/acting-for.ts'
import { keyIdOf } from './trust/key-id.ts'
import type { ProjectView, View } from './view.ts'
import type { ClaimEntity, ContractEntity, PacketEntity, RepoEntity } from './views/entities.ts'

/** Finds the project, contract, packet or repo that a call names, or says what is missing and how to get it. */

export function projectOf(view: View, projectId: string, { caller }: Pick<Env, 'caller'>): ProjectView {
  const found = view.projects.get(projectId)
  if (found !== undefined && maySee(found, caller)) return found
  const meant = closestName(view.projects.newestFirst(), projectId, (one) =>
    maySee(one, caller) ? one.project.name : undefined,
  )
  throw new Fault('not_found', `No project ${projectId} here`, {
    next: `${didYouMean(meant)}List the projects with cacp/project/list`,
    data: { projectId, meant, call: { method: 'cacp/project/list', params: {} } },
  })
}

/** Like projectOf, for calls that change something. */
export function openProjectOf(view: View, projectId: string, env: Env): ProjectView {
  const found = projectOf(view, projectId, env)
  if (found.project.archived)
    throw new Fault('conflict', `Project ${projectId} ${archivedIn(found)}`, bringingBack(found, env))
  return found
}

const BRING_BACK = 'cacp/project/archive {"archived": false}'

/** Only members can: others could not even join an archived project. */
function bringingBack(found: ProjectView, env: Env) {
  const { project_id: projectId } = found.project
  if (membership(found, env) === undefined && asOwnFounder(found, env) === undefined)
    return { next: askMembers(found), data: { projectId } }
  const call = { method: 'cacp/project/archive', params: { projectId, archived: false } }
  return { next: `Bring it back with ${BRING_BACK}`, data: { projectId, call } }
}

const askMembers = (found: ProjectView): string =>
  `Only its members can bring it back, with ${BRING_BACK}: ask ${memberNames(found)}`

const MOST_MEMBERS_NAMED = 5

function memberNames({ project, repos }: ProjectView): string {
  const held = filtered(repos.oldestFirst(), ({ holder }) => holder !== undefined)
  const names = firstOf(held, MOST_MEMBERS_NAMED).map(({ name }) => name)
  return names.join(' or ') || project.created_by
}

function archivedIn({ project, repos }: ProjectView): string {
  const by = project.archived_by
  if (by === undefined) return 'is archived'
  const repo = by.repo_id === null ? undefined : repos.get(by.repo_id)
  return `was archived by ${repo?.name ?? by.agent_id} on ${by.at.slice(0, 10)}`
}

/** Whoever reads a project: a caller, or a peer that statements are sent to. */
export type Viewer = Pick<Caller, 'kind' | 'agentId' | 'repoName' | 'grant' | 'pinned' | 'isNameBelieved'>

export const viewerOf = (peer: Peer): Viewer => ({
  kind: 'peer',
  agentId: peer.agent_id,
  repoName: peer.repo_name || null,
  ...pinnedOf(peer),
})

/** Like `viewerOf`, for a peer that connected earlier: it may have replaced its key since. */
export const presentViewerOf = (peer: Peer, { peers }: Pick<View, 'peers'>): Viewer =>
  viewerOf(peers.get(peer.agent_id) ?? peer)

export const pinnedOf = (peer: Peer): { pinned?: Pinned } => {
  const { identity, former_keys: formerKeys, invited_to: invitedTo = [] } = peer
  return identity === undefined ? {} : { pinned: { key: keyIdOf(identity), formerKeys, invitedTo } }
}

/** The one rule of who sees which project; everything that shows, lists, sends or accepts something asks it. */
export function maySee(found: ProjectView, viewer: Viewer): boolean {
  const { project_id, visibility } = found.project
  const { kind, grant } = viewer
  switch (kind) {
    case 'operator':
    case 'open':
      return true
    case 'peer':
      return visibility === 'all' || isAmongMembers(found, viewer)
    case 'known':
      return visibility === 'all'
    case 'token':
      return project_id === grant?.projectId
    case 'anonymous':
      return false
    default:
      return kind satisfies never
  }
}

/**
 * A project with visibility `members` is visible to the keys that hold a repo, to those that were invited, and to a
 * peer that was paired under the name of a repo that nobody has claimed yet. Anybody can claim a repo: a holder sees
 * the project when the founder confirmed its claim, or when it was expected, because it was invited or a member named
 * a repo of its name. An agent that claimed the repo of its name and lost it to an earlier or confirmed claim keeps
 * seeing the project until somebody settles it: otherwise it would never learn of it.
 */
function isAmongMembers(found: ProjectView, viewer: Viewer): boolean {
  const { agentId, repoName, pinned, isNameBelieved = false } = viewer
  const isNameKnown = pinned !== undefined || isNameBelieved
  const isExpected = ({ name, namings }: RepoEntity) =>
    (isNameKnown && name === repoName && namings.length > 0) ||
    invitationTo(found, pinned)?.repo_name === name
  for (const repo of found.repos.oldestFirst()) {
    const { holder } = repo
    if (holder === undefined || !isHolder(holder, agentId, pinned)) continue
    if (holder.is_confirmed || (isExpected(repo) && !hasLost(found, viewer))) return true
  }
  if (pinned !== undefined && (isKeyOf(pinned, found.project.founder.key) || isInvited(found, pinned)))
    return true
  const named = isNameKnown && repoName !== null ? repoNamed(found, repoName) : undefined
  const isOutranked = ({ standing, released_at }: ClaimEntity) =>
    standing === 'outranked' && released_at === undefined
  return (
    named?.claims.length === 0 ||
    named?.claims.some((claim) => isOutranked(claim) && isHolder(claim, agentId, pinned)) === true
  )
}

/**
 * Whether a key may see a project because of an invitation that it has not used yet. After it released or lost its
 * repo, the invitation gives no access any more.
 */
function isInvited(found: ProjectView, pinned: Pinned): boolean {
  const invited = invitationTo(found, pinned)
  if (invited === undefined) return false
  const isSettledSince = (repoId: string) =>
    isAny(found.said.saidAbout(repoId, 'settlement'), ({ at }) => at > invited.at)
  for (const { claims } of found.repos.oldestFirst())
    for (const { speaks_by, claimed_at } of claims)
      if (speaks_by.key === pinned.key && claimed_at > invited.at) return false
  // An expelled daemon may have dated its claim before the invitation.
  return !isAny(
    found.said.lostClaims(),
    ({ repo_id, speaks_by }) => speaks_by.key === pinned.key && isSettledSince(repo_id),
  )
}

const invitationTo = ({ project }: ProjectView, pinned: Pinned | undefined): Invitation | undefined =>
  pinned?.invitedTo.find(({ project_id }) => project_id === project.project_id)

const hasLost = ({ said }: ProjectView, { agentId, pinned }: Viewer): boolean =>
  isAny(said.lostClaims(), (one) => isHolder(one, agentId, pinned))

/** An agent that signs nothing itself is known by the name that its reporter gave it. */
const isHolder = (
  { speaks_by, reported_by, agent_id }: Pick<ClaimEntity, 'speaks_by' | 'reported_by' | 'agent_id'>,
  agentId: string,
  pinned: Pinned | undefined,
) =>
  reported_by === undefined ? pinned !== undefined && isKeyOf(pinned, speaks_by.key) : agent_id === agentId

const isKeyOf = ({ key, formerKeys }: Pinned, one: string): boolean =>
  one === key || formerKeys?.includes(one) === true

/** `field` is given if the contract is not the one that the call is about. */
export function contractOf(
  { project, contracts }: ProjectView,
  contractId: string,
  field?: string,
): ContractEntity {
  const found = contracts.get(contractId)
  if (found !== undefined) return found
  const { project_id: projectId } = project
  const meant = closestName(contracts.newestFirst(), contractId, ({ name }) => name)
  const lead = field === undefined ? '' : `${field}: `
  const call = { method: 'cacp/contract/list', params: { projectId } }
  throw new Fault('not_found', `${lead}No contract ${contractId} in project ${projectId}`, {
    next: `${didYouMean(meant)}List the contracts with cacp/contract/list`,
    data: { projectId, contractId, field, meant, call },
  })
}

export function packetOf({ project, packets }: ProjectView, packetId: string): PacketEntity {
  const found = packets.get(packetId)
  if (found !== undefined) return found
  const { project_id: projectId } = project
  const meant = closestName(packets.newestFirst(), packetId, questionName)
  throw new Fault('not_found', `No packet ${packetId} in project ${projectId}`, {
    next: `${didYouMean(meant && quoted(meant, 80))}List the packets with cacp/context/list; a question goes by what it asks, too`,
    data: { projectId, packetId, meant, call: { method: 'cacp/context/list', params: { projectId } } },
  })
}

export const repoNamed = ({ repos }: ProjectView, name: string): RepoEntity | undefined =>
  findIn(repos.oldestFirst(), (repo) => repo.name === name)

/** The repo that an agent holds in a project; with a key, only if it speaks by that key. */
export const repoOfAgent = ({ repos }: ProjectView, agentId: string, key?: string): RepoEntity | undefined =>
  findIn(
    repos.oldestFirst(),
    ({ holder }) => holder?.agent_id === agentId && (key === undefined || holder.speaks_by.key === key),
  )

/** The repo that a caller acts for, and what it speaks by; undefined when it holds none that it may act for. */
export function membership(found: ProjectView, env: Pick<Env, 'caller' | 'self'>) {
  const { caller, self } = env
  const repo = repoOfAgent(found, caller.agentId, self.signer.keyId)
  const claim = repo?.holder
  if (repo === undefined || claim === undefined || !mayActFor(claim, env)) return undefined
  return { repo, claim, speaksBy: claim.speaks_by }
}

/** Only members may change what a project holds. */
export function memberOf(found: ProjectView, env: Env) {
  const member = membership(found, env)
  if (member !== undefined) return member
  const { agentId } = env.caller
  const held = repoOfAgent(found, agentId)?.holder
  throw (held && speaksElsewhere(held, env)) ?? lostRepoFault(found, env) ?? notMember(found, env)
}

function notMember(found: ProjectView, env: Env): Fault {
  const { project_id: projectId } = found.project
  const { agentId } = env.caller
  const { next, call }: Advice = found.project.archived ? { next: askMembers(found) } : howToJoin(found, env)
  return new Fault('not_member', `${agentId} holds no repo of project ${projectId}`, {
    next,
    data: { projectId, agentId, call },
  })
}
