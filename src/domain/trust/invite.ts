import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Env } from '../env.ts'
import { openProjectOf, repoNamed } from '../lookup.ts'
import type { ProjectView, View } from '../view.ts'
import { isSameKey } from './key-id.ts'
import type { PairRequest } from './pairing.ts'
import type { Invite } from './trust.ts'

export interface InviteRequest {
  readonly project: string | null
  readonly repoName: string | null
  readonly expiresSeconds: number
  /** The agent that the newcomer replaces. */
  readonly replaces: string | null
}

/** Stores an invite: whoever presents the secret of this hash is let in, once. */
export function createInvite(
  view: View,
  { project, repoName, expiresSeconds, replaces }: InviteRequest,
  { secretHash, env }: { secretHash: string; env: Env },
): Decision<Invite> {
  const { now, newId } = env
  const { unused, local } = tidied(view, now)
  if (unused >= LIMITS.invites)
    throw new Fault('unavailable', `${LIMITS.invites} invites wait to be used, which is the limit`, {
      next: 'See them with cacp/invite/list, and take back what is not needed with cacp/invite/withdraw',
      data: { call: { method: 'cacp/invite/list', params: {} } },
    })
  if (replaces !== null) assertReplaceable(view, replaces, env)
  const found = project === null ? null : openProjectOf(view, project, env)
  if (found !== null && repoName !== null) assertFree(found, repoName, replaces)
  const invite: Invite = {
    invite_id: newId(),
    secret_hash: secretHash,
    created_at: now,
    expires_at: addMicros(now, expiresSeconds * 1_000_000),
    project_id: found?.project.project_id ?? null,
    repo_name: repoName ?? (replaces === null ? null : view.peers.get(replaces)?.repo_name || null),
    replaces,
    used_by: null,
  }
  return { result: invite, local: [...local, { table: 'invite', id: invite.invite_id, value: invite }] }
}

/** Removes expired invites, and used ones except the newest: their users must have received the answer by now. */
function tidied(view: View, now: Stamp): { unused: number; local: LocalChange[] } {
  const all = [...view.invites.oldestFirst()]
  const valid = all.filter(({ expires_at }) => expires_at > now)
  const unused = valid.filter(({ used_by }) => used_by === null)
  const kept = new Set([...unused, ...valid.filter(({ used_by }) => used_by !== null).slice(-LIMITS.invites)])
  const gone = all.filter((invite) => !kept.has(invite))
  return {
    unused: unused.length,
    local: gone.map(({ invite_id }) => ({ table: 'invite', id: invite_id, value: null })),
  }
}

function assertFree(found: ProjectView, repoName: string, replaces: string | null): void {
  const held = repoNamed(found, repoName)?.holder
  if (held === undefined || held.agent_id === replaces) return
  throw new Fault('conflict', `Repo ${repoName} is held by ${held.agent_id}`, {
    next: `Name another repo, or, if that agent is gone for good, call cacp/invite/create with replaces ${held.agent_id}`,
    data: {
      repoName,
      agentId: held.agent_id,
      call: {
        method: 'cacp/invite/create',
        params: { project: found.project.project_id, repoName, replaces: held.agent_id },
      },
    },
  })
}

function assertReplaceable(view: View, agentId: string, { self }: Env): void {
  if (agentId === self.agentId)
    throw new Fault('conflict', `${agentId} is the agent of this daemon`, {
      next: 'Name the agent that was lost, as cacp/peer/list shows it',
      data: { agentId, call: { method: 'cacp/peer/list', params: {} } },
    })
  const isKnown = view.peers.get(agentId) !== undefined || view.guests.get(agentId) !== undefined
  if (isKnown || heldBy(view, agentId).length > 0) return
  throw new Fault('not_found', `No peer ${agentId} here, and it holds no repo`, {
    next: 'List the peers with cacp/peer/list',
    data: { agentId, call: { method: 'cacp/peer/list', params: {} } },
  })
}

/** The repos that an agent holds, in all projects. */
export function heldBy(view: View, agentId: string): { found: ProjectView; repoName: string }[] {
  const held: { found: ProjectView; repoName: string }[] = []
  for (const found of view.projects.oldestFirst())
    for (const repo of found.repos.oldestFirst())
      if (repo.holder?.agent_id === agentId) held.push({ found, repoName: repo.name })
  return held
}

/** What a newcomer presents to be let in. */
interface InviteCredentials extends Pick<PairRequest, 'agentId' | 'publicKey'> {
  readonly secretHash: string
}

/**
 * The valid invite for these credentials. A used invite is valid only for the same key and agent ID, while that peer
 * is approved, because it may not have received the answer. All reasons for refusal give the same fault, so that
 * trying reveals nothing.
 */
export function inviteFor(
  view: View,
  { secretHash, agentId, publicKey }: InviteCredentials,
  now: Stamp,
): Invite {
  for (const invite of view.invites.oldestFirst()) {
    if (invite.secret_hash !== secretHash) continue
    if (invite.expires_at <= now) break
    if (invite.used_by === null) return invite
    const { trust, identity } = view.peers.get(agentId) ?? {}
    const isStillApproved = trust === 'approved' && identity !== undefined && isSameKey(identity, publicKey)
    if (isStillApproved && isSameKey(invite.used_by, publicKey)) return invite
  }
  throw new Fault('forbidden', 'This invite is not valid: it is unknown, expired, or was used', {
    next: 'Ask whoever sent it for a new one: `cacpd invite`',
  })
}
