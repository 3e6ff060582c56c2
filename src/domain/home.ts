import { Fault } from '../protocol/fault.ts'
import type { LocalChange } from './change.ts'
import type { Caller, Env, Self } from './env.ts'
import type { Claim, Packet } from './model.ts'
import { activeClaim, standingClaims } from './repo.ts'
import type { ProjectView, View } from './view.ts'

/**
 * Which agents are at home here: the daemon's own one, and guests, agents of other folders that share it. The
 * operator may act for them and for nobody else; the agents of other daemons act there, or with their own key.
 */

export const isAtHome = (view: View, agentId: string, self: Self): boolean =>
  agentId === self.agentId || view.guests.get(agentId) !== undefined

/** A claim that names this daemon as its endpoint was made here, also where that is not remembered any more. */
export function isOfHome(view: View, { agent_id, endpoint }: Claim, self: Self): boolean {
  return isAtHome(view, agent_id, self) || endpoint.value === self.endpoint
}

/** Whether the caller may act for the agent that holds a repo: it is that agent, or the operator of its daemon. */
export function mayActFor(view: View, claim: Claim, { caller, self }: Env): boolean {
  const isItself = claim.agent_id === caller.agentId
  if (caller.kind === 'peer') return isItself
  return (isItself || caller.kind === 'operator') && isOfHome(view, claim, self)
}

/** Of a packet: its author, and whoever holds its repo now. */
export function mayTakeBack(
  view: View,
  { project, repos }: ProjectView,
  { packet, env }: { packet: Packet; env: Env },
): boolean {
  const { caller, self } = env
  const repo = repos.get(packet.from_repo)
  const holder = repo && activeClaim(repo, project)
  if (holder !== undefined && mayActFor(view, holder, env)) return true
  const isItself = packet.from_agent === caller.agentId
  if (caller.kind === 'peer') return isItself
  return (isItself || caller.kind === 'operator') && isAtHome(view, packet.from_agent, self)
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
  for (const { project, repos } of view.projects.oldestFirst())
    for (const repo of repos.oldestFirst())
      for (const claim of standingClaims(repo, project))
        if (claim.agent_id === agentId && !isOfHome(view, claim, self)) throw actsElsewhere(agentId)
  return [{ table: 'guest', id: agentId, value: { agent_id: agentId, since: now } }]
}
