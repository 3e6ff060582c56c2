import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, latest, type Stamp } from '../../protocol/stamp.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Env } from '../env.ts'
import { repoNamed, repoOfAgent } from '../lookup.ts'
import type { Invitation, Peer } from '../model.ts'
import type { SpeaksBy, Unsigned } from '../statements/say.ts'
import { heldBy } from '../trust/invite.ts'
import { keyIdOf } from '../trust/key-id.ts'
import type { PublicKey } from '../trust/trust.ts'
import type { ProjectView, View } from '../view.ts'
import type { RepoEntity } from '../views/entities.ts'
import { isOfHome } from './acting-for.ts'
import { assertRoomForRepo, nameRepo, releaseRepo, taken } from './repo.ts'
import { settleRepo } from './settling.ts'
import { takeRepo } from './take-repo.ts'

export interface Newcomer {
  readonly agentId: string
  readonly publicKey: PublicKey
  readonly repoName: string
  readonly role?: string | undefined
  readonly language?: string | undefined
  /** The agent whose repos become its own. */
  readonly replaces: string | null
}

/** What is said to make room for a newcomer, and the repos that are for it to claim by its own key. */
export interface Welcome {
  readonly says: readonly Unsigned[]
  readonly gives: readonly Invitation[]
}

/** The repos that are for a newcomer from its first moment: the one it was invited for, and those it inherits. */
export function welcome(
  view: View,
  newcomer: Newcomer,
  { projectId, env }: { projectId: string | null; env: Env },
): Welcome {
  const wanted = new Map<ProjectView, string>()
  if (newcomer.replaces !== null)
    for (const { found, repoName } of heldBy(view, newcomer.replaces)) wanted.set(found, repoName)
  const invitedTo = projectId === null ? undefined : view.projects.get(projectId)
  if (invitedTo !== undefined) wanted.set(invitedTo, newcomer.repoName)
  const rooms = Array.from(wanted, ([found, repoName]) => {
    const says = roomIn(found, repoName, { newcomer, env })
    const at = latest([env.now, ...says.map((one) => one.at)])
    return { says, gives: { project_id: found.project.project_id, repo_name: repoName, at } }
  })
  return { says: rooms.flatMap(({ says }) => says), gives: rooms.map(({ gives }) => gives) }
}

interface Coming {
  readonly newcomer: Newcomer
  readonly env: Env
}

function roomIn(found: ProjectView, repoName: string, { newcomer, env }: Coming): Unsigned[] {
  const { project_id: projectId } = found.project
  const { agentId, publicKey, replaces } = newcomer
  const own = repoOfAgent(found, agentId, keyIdOf(publicKey))
  if (own !== undefined && own.name !== repoName)
    throw new Fault('conflict', `${agentId} already holds repo ${own.name} of project ${projectId}`, {
      next: 'Ask for an invite without a project, or release that repo first with cacp/repo/release',
      data: { projectId, repoName: own.name },
    })
  const repo = repoNamed(found, repoName)
  if (repo === undefined) return named(found, repoName, { newcomer, env })
  if (own !== undefined || repo.holder === undefined) return []
  const { agent_id, reported_by } = repo.holder
  const mayTakeOver = agent_id === replaces || (agent_id === agentId && reported_by === env.self.agentId)
  if (!mayTakeOver) throw taken(repo, found)
  return vacated(found, repo, env)
}

/** Where this daemon has no say in a project, the newcomer brings its repo along by its claim. */
function named(found: ProjectView, name: string, { newcomer, env }: Coming): Unsigned[] {
  assertRoomForRepo(found, env.self)
  const { role = 'shared', language = 'unknown' } = newcomer
  const by = voiceOf(found, env)
  const about = { role, language, relevant_paths: [], url: null }
  return by === undefined ? [] : [nameRepo(found, by, { name, ...about }, env)]
}

/**
 * Ends the claim of the one whose place is taken; what it said until now goes on to count. Where it had a daemon of its
 * own, only the founder can do so, or the votes of the members.
 */
function vacated(found: ProjectView, repo: RepoEntity, env: Env): Unsigned[] {
  const { holder } = repo
  if (holder === undefined) return []
  if (isOfHome(holder, env.self)) return releaseRepo(found, repo, { claim: holder, env })
  const by = voiceOf(found, env)
  return by === undefined ? [] : [settleRepo(found, repo, { claim: null, until: env.now, by, env })]
}

/** As the founder, or else as the agent of this daemon. */
function voiceOf(found: ProjectView, { self }: Env): SpeaksBy | undefined {
  const { founder } = found.project
  if (founder.key === self.signer.keyId) return founder
  return repoOfAgent(found, self.agentId, self.signer.keyId)?.holder?.speaks_by
}

/** Claims what invites gave to the agent of this daemon, as soon as those projects are here. */
export function takeUpInvites(view: View, env: Pick<Env, 'self' | 'now' | 'newNonce'>): Decision<void> {
  const says: Unsigned[] = []
  const local: LocalChange[] = []
  for (const peer of view.peers.oldestFirst()) {
    const { promised = [] } = peer
    const open = promised.filter((one) => {
      const found = view.projects.get(one.project_id)
      if (found !== undefined) says.push(...takeUp(view, found, { invitation: one, env }))
      return found === undefined
    })
    if (open.length === promised.length) continue
    const value: Peer = { ...peer, promised: open }
    local.push({ table: 'peer', id: peer.agent_id, value })
  }
  return { result: undefined, says, local }
}

function takeUp(
  view: View,
  found: ProjectView,
  { invitation, env }: { invitation: Invitation; env: Pick<Env, 'self' | 'now' | 'newNonce'> },
): Unsigned[] {
  const { agentId, endpoint, signer } = env.self
  if (repoOfAgent(found, agentId, signer.keyId) !== undefined) return []
  const request = { repoName: invitation.repo_name, agentId, endpoint, isReported: false }
  const now = invitation.at > aheadOf(env.now) ? env.now : latest([env.now, invitation.at])
  return takeRepo(view, found, request, { ...env, now })
}

/** What is dated later nobody would take. */
const aheadOf = (now: Stamp): Stamp => addMicros(now, LIMITS.clockAheadSeconds * 1_000_000)
