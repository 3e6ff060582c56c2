import { Fault } from '../../protocol/fault.ts'
import type { LocalChange } from '../change.ts'
import type { Caller, Env, Self } from '../env.ts'
import type { SpeaksBy } from '../statements/say.ts'
import type { ProjectView, View } from '../view.ts'
import type { ClaimEntity } from '../views/entities.ts'

/**
 * Which agents belong to this daemon: its own agent, and guests, which are agents of other folders that share it.
 * Their statements are signed with this daemon's key. It also signs, as their reporter, for agents that sign nothing
 * themselves. Agents of other daemons make their statements there.
 */

export const isAgentOfThisDaemon = (view: View, agentId: string, self: Self): boolean =>
  agentId === self.agentId || view.guests.get(agentId) !== undefined

/** Whether this daemon signs the statements under a claim. */
export const isSignedHere = ({ speaks_by }: Pick<ClaimEntity, 'speaks_by'>, { signer }: Self): boolean =>
  speaks_by.key === signer.keyId

/**
 * Whether the caller may act for the agent that made a claim: it is that agent, or the operator of its daemon. An
 * agent that signs nothing itself acts through its own calls only.
 */
export function mayActFor(claim: ClaimEntity, { caller, self }: Pick<Env, 'caller' | 'self'>): boolean {
  const isItself = claim.agent_id === caller.agentId
  if (!isSignedHere(claim, self)) return false
  if (claim.reported_by !== undefined) return isItself && caller.kind === 'peer'
  return caller.kind !== 'peer' && (isItself || caller.kind === 'operator')
}

/** What the operator or agent of this daemon speaks by as the founder of a project that this daemon founded. */
export function asFounder({ project }: ProjectView, { caller, self }: Env): SpeaksBy | undefined {
  const isOwn = caller.kind === 'operator' || (caller.kind === 'open' && caller.agentId === self.agentId)
  return isOwn && project.founder.key === self.signer.keyId ? project.founder : undefined
}

/** Like `asFounder`, for the founding agent itself: another agent of the daemon that holds no repo is no member. */
export const asOwnFounder = (found: ProjectView, env: Env): SpeaksBy | undefined =>
  [env.self.agentId, found.project.created_by].includes(env.caller.agentId)
    ? asFounder(found, env)
    : undefined

/** Why an agent that holds a repo cannot act for it here. */
export function speaksElsewhere({ agent_id, endpoint }: ClaimEntity, { caller }: Pick<Env, 'caller'>): Fault {
  const place = endpoint === null ? '' : ` at ${endpoint}`
  return caller.kind === 'peer'
    ? new Fault('forbidden', `${agent_id} speaks through its own daemon${place}, which signs what it says`, {
        next: 'Make this call there',
        data: { agentId: agent_id },
      })
    : actsElsewhere(agent_id)
}

const actsElsewhere = (agentId: string): Fault =>
  new Fault('forbidden', `${agentId} works with another daemon, and acts only there`, {
    next: 'Leave X-Agent-ID out to act as the agent of this daemon',
    data: { agentId },
  })

/** The caller under the name that it gave, when it joins as another repo than the daemon's own. */
export function joining(env: Env, repoName: string | null): Env {
  return repoName === env.self.repo ? env : { ...env, caller: asCalled(env.caller) }
}

/** The caller under the name that it gave, instead of as the agent of this daemon. */
export function asCalled({ called, ...caller }: Caller): Caller {
  return called === undefined ? caller : { ...caller, agentId: called, repoName: null }
}

/** Registers an agent that joins through this daemon as a guest, unless another daemon signs for it. */
export function hosting(view: View, { caller, self, now }: Env): LocalChange[] {
  const { kind, agentId } = caller
  if (kind === 'peer' || isAgentOfThisDaemon(view, agentId, self)) return []
  for (const { repos } of view.projects.oldestFirst())
    for (const { holder } of repos.oldestFirst())
      if (holder?.agent_id === agentId && !(isSignedHere(holder, self) && holder.reported_by === undefined))
        throw actsElsewhere(agentId)
  return [{ table: 'guest', id: agentId, value: { agent_id: agentId, since: now } }]
}
