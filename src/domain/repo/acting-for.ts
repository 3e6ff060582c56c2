import { Fault } from '../../protocol/fault.ts'
import type { LocalChange } from '../change.ts'
import type { Caller, Env, Self } from '../env.ts'
import type { SpeaksBy } from '../statements/say.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity } from '../views/entities.ts'

/**
 * Which agents are at home here: the daemon's own one, and guests, agents of other folders that share it. What they say
 * is signed with this daemon's key. So is what it heard from those who sign nothing themselves, as reported by it; the
 * agents of other daemons speak there.
 */

export const isAtHome = (view: View, agentId: string, self: Self): boolean =>
  agentId === self.agentId || view.guests.get(agentId) !== undefined

/** Whether this daemon signs what is said under a claim. */
export const isOfHome = ({ speaks_by }: Pick<ClaimEntity, 'speaks_by'>, { signer }: Self): boolean =>
  speaks_by.key === signer.keyId

/**
 * Whether the caller may act for the agent that made a claim: it is that agent, or the operator of its daemon. Whoever
 * signs nothing speaks for itself, and nobody here for it.
 */
export function mayActFor(claim: ClaimEntity, { caller, self }: Pick<Env, 'caller' | 'self'>): boolean {
  const isItself = claim.agent_id === caller.agentId
  if (!isOfHome(claim, self)) return false
  if (claim.reported_by !== undefined) return isItself && caller.kind === 'peer'
  return caller.kind !== 'peer' && (isItself || caller.kind === 'operator')
}

/** By what a caller speaks as the founder of a project: it is at the daemon that founded it, and at home there. */
export function asFounder({ project }: ProjectView, { caller, self }: Env): SpeaksBy | undefined {
  const isOwn = caller.kind === 'operator' || (caller.kind === 'open' && caller.agentId === self.agentId)
  return isOwn && project.founder.key === self.signer.keyId ? project.founder : undefined
}

/** The same where the caller is that founder itself: another agent at its daemon that holds no repo is no member. */
export const asOwnFounder = (found: ProjectView, env: Env): SpeaksBy | undefined =>
  [env.self.agentId, found.project.created_by].includes(env.caller.agentId)
    ? asFounder(found, env)
    : undefined

/** Why an agent that holds a repo cannot speak for it here. */
export function speaksElsewhere({ agent_id, endpoint }: ClaimEntity, { caller }: Pick<Env, 'caller'>): Fault {
  const place = endpoint === null ? '' : ` at ${endpoint}`
  return caller.kind === 'peer'
    ? new Fault('forbidden', `${agent_id} speaks through its own daemon${place}, which signs what it says`, {
        next: 'Make this call there',
        data: { agentId: agent_id },
      })
    : actsElsewhere(agent_id)
}

export const actsElsewhere = (agentId: string): Fault =>
  new Fault('forbidden', `${agentId} works with another daemon, and acts only there`, {
    next: 'Leave X-Agent-ID out to act as the agent of this daemon',
    data: { agentId },
  })

/** An agent that nobody knew by its name is known by it when it joins as another repo than the daemon's own. */
export function joining(env: Env, repoName: string | null): Env {
  return repoName === env.self.repo ? env : { ...env, caller: asCalled(env.caller) }
}

/** Under the name that it gave itself, instead of as the agent of this daemon. */
export function asCalled({ called, ...caller }: Caller): Caller {
  return called === undefined ? caller : { ...caller, agentId: called, repoName: null }
}

/** Takes in an agent that joins through this daemon, unless another daemon speaks for it. */
export function hosting(view: View, { caller, self, now }: Env): LocalChange[] {
  const { kind, agentId } = caller
  if (kind === 'peer' || isAtHome(view, agentId, self)) return []
  for (const { repos } of view.projects.oldestFirst())
    for (const { holder } of repos.oldestFirst())
      if (holder?.agent_id === agentId && !(isOfHome(holder, self) && holder.reported_by === undefined))
        throw actsElsewhere(agentId)
  return [{ table: 'guest', id: agentId, value: { agent_id: agentId, since: now } }]
}
