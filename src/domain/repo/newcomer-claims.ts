import { Fault } from '../../protocol/fault.ts'
import { latest } from '../../protocol/stamp.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Env } from '../env.ts'
import { repoNamed, repoOfAgent } from '../lookup.ts'
import type { Invitation, Peer } from '../model.ts'
import { latestAcceptedTime } from '../speaking/redate.ts'
import type { SpeaksBy, Unsigned } from '../statements/say.ts'
import { heldBy } from '../trust/invite.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { PairRequest } from '../trust/pairing.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity, RepoEntity } from '../views/entities.ts'
import { isSignedHere } from './acting-for.ts'
import { assertRoomForRepo, nameRepo, releaseRepo, taken, takeRepo } from './repo.ts'
import { settleRepo } from './settling.ts'

interface Newcomer extends Pick<PairRequest, 'agentId' | 'publicKey' | 'repoName' | 'role' | 'language'> {
  /** The agent whose repos it takes over. */
  readonly replaces: string | null
}

/**
 * The repos that a newcomer may claim with its own key, and statements that prepare them: the one that it was invited
 * for, and those of the agent that it replaces.
 */
export function reposForNewcomer(
  view: View,
  newcomer: Newcomer,
  { projectId, env }: { projectId: string | null; env: Env },
) {
  const wanted = new Map<ProjectView, string>()
  if (newcomer.replaces !== null)
    for (const { found, repoName } of heldBy(view, newcomer.replaces)) wanted.set(found, repoName)
  const invitedTo = projectId === null ? undefined : view.projects.get(projectId)
  if (invitedTo !== undefined) wanted.set(invitedTo, newcomer.repoName)
  const prepared = Array.from(wanted, ([found, repoName]) => {
    const says = makeRepoFree(found, repoName, { newcomer, env })
    const at = latest([env.now, ...says.map((one) => one.at)])
    return { says, gives: { project_id: found.project.project_id, repo_name: repoName, at } }
  })
  return { says: prepared.flatMap(({ says }) => says), gives: prepared.map(({ gives }) => gives) }
}

interface NewcomerInput {
  readonly newcomer: Newcomer
  readonly env: Env
}

function makeRepoFree(found: ProjectView, repoName: string, { newcomer, env }: NewcomerInput): Unsigned[] {
  const { project_id: projectId } = found.project
  const { agentId, publicKey, replaces } = newcomer
  const own = repoOfAgent(found, agentId, keyIdOf(publicKey))
  if (own !== undefined && own.name !== repoName)
    throw new Fault('conflict', `${agentId} already holds repo ${own.name} of project ${projectId}`, {
      next: 'Ask for an invite without a project, or release that repo first with cacp/repo/release',
      data: { projectId, repoName: own.name },
    })
  const repo = repoNamed(found, repoName)
  if (repo === undefined) return nameNewRepo(found, repoName, { newcomer, env })
  if (own !== undefined || repo.holder === undefined) return []
  const { agent_id, reported_by } = repo.holder
  const mayTakeOver = agent_id === replaces || (agent_id === agentId && reported_by === env.self.agentId)
  if (!mayTakeOver) throw taken(repo, found)
  return endHolder(found, repo, repo.holder, env)
}

/** If this daemon cannot make statements in the project, the newcomer's own claim names the repo. */
function nameNewRepo(found: ProjectView, name: string, { newcomer, env }: NewcomerInput): Unsigned[] {
  assertRoomForRepo(found, env.self)
  const { role = 'shared', language = 'unknown' } = newcomer
  const by = ownSpeaksBy(found, env)
  const about = { role, language, relevant_paths: [], url: null }
  return by === undefined ? [] : [nameRepo(found, by, { name, ...about }, env)]
}

/**
 * Ends the claim of the replaced holder, whose statements up to now still count. If the holder has a daemon of its
 * own, only the founder or a vote of the members can do that.
 */
function endHolder(found: ProjectView, repo: RepoEntity, holder: ClaimEntity, env: Env): Unsigned[] {
  if (isSignedHere(holder, env.self)) return releaseRepo(found, repo, { claim: holder, env })
  const by = ownSpeaksBy(found, env)
  return by === undefined ? [] : [settleRepo(found, repo, { claim: null, until: env.now, by, env })]
}

/** What this daemon speaks by: as the founder, or else as its own agent. */
function ownSpeaksBy(found: ProjectView, { self }: Env): SpeaksBy | undefined {
  const { founder } = found.project
  if (founder.key === self.signer.keyId) return founder
  return repoOfAgent(found, self.agentId, self.signer.keyId)?.holder?.speaks_by
}

/** Claims the repos that invites gave to the agent of this daemon, as soon as their projects are here. */
export function takeUpInvites(view: View, env: Pick<Env, 'self' | 'now' | 'newNonce'>): Decision<void> {
  const says: Unsigned[] = []
  const local: LocalChange[] = []
  for (const peer of view.peers.oldestFirst()) {
    const { promised = [] } = peer
    const open = promised.filter((one) => {
      const found = view.projects.get(one.project_id)
      if (found !== undefined) says.push(...claimInvited(view, found, { invitation: one, env }))
      return found === undefined
    })
    if (open.length === promised.length) continue
    const value: Peer = { ...peer, promised: open }
    local.push({ table: 'peer', id: peer.agent_id, value })
  }
  return { result: undefined, says, local }
}

function claimInvited(
  view: View,
  found: ProjectView,
  { invitation, env }: { invitation: Invitation; env: Pick<Env, 'self' | 'now' | 'newNonce'> },
): Unsigned[] {
  const { agentId, endpoint, signer } = env.self
  if (repoOfAgent(found, agentId, signer.keyId) !== undefined) return []
  const request = { repoName: invitation.repo_name, agentId, endpoint, isReported: false }
  // Other daemons refuse statements with a later time.
  const now = invitation.at > latestAcceptedTime(env.now) ? env.now : latest([env.now, invitation.at])
  return takeRepo(view, found, request, { ...env, now })
}
