import { z } from 'zod'
import { Aid } from '../protocol/aid.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { addMicros, type Stamp } from '../protocol/stamp.ts'
import { Endpoint, Name } from '../protocol/words.ts'
import type { Decision, LocalChange } from './change.ts'
import type { Env } from './env.ts'
import type { Peer } from './model.ts'
import { assertWithinReach, type Reach, reachOf } from './reach.ts'
import type { View } from './view.ts'

/** The document's body of POST /peers/register. */
export const Registration = z.object({ agentId: Aid, endpoint: Endpoint, repoName: Name })
export type Registration = z.output<typeof Registration>

export interface Registered {
  readonly status: 'registered' | 'pending'
  readonly peerCount: number
}

/** Stores a peer. Somebody without a credential is only noted, for the operator to approve. */
export function registerPeer(
  view: View,
  { agentId, endpoint, repoName }: Registration,
  { caller, self, now }: Env,
): Decision<Registered> {
  if (agentId === self.agentId) return { result: { status: 'registered', peerCount: approvedCount(view) } }
  const known = view.peers.get(agentId)
  const url = endpoint.replace(/\/+$/, '')
  const reach = reachToKeep(known, url, reachOf(caller))
  assertWithinReach(url, reach)
  if (caller.kind === 'anonymous') {
    if (known?.trust === 'approved')
      throw new Fault('forbidden', `${agentId} is registered already; changing it needs a key`)
    // Anybody could come under the same name: what the operator looks at is what the first one said.
    if (known !== undefined) return { result: { status: 'pending', peerCount: approvedCount(view) } }
  } else if (known === undefined && view.peers.size >= LIMITS.peers) {
    throw new Fault('unavailable', `This daemon has ${LIMITS.peers} peers already, which is the limit`)
  }
  const trust = caller.kind === 'anonymous' ? 'pending' : 'approved'
  const peer: Peer = {
    agent_id: agentId,
    endpoint: url,
    repo_name: repoName,
    trust,
    registered_at: known?.registered_at ?? now,
    last_seen: now,
    reach,
  }
  const isNew = trust === 'approved' && known?.trust !== 'approved'
  return {
    result: {
      status: trust === 'approved' ? 'registered' : 'pending',
      peerCount: approvedCount(view) + (isNew ? 1 : 0),
    },
    local: [
      ...(trust === 'pending' ? roomForPending(view, now) : []),
      { table: 'peer', id: agentId, value: peer },
    ],
  }
}

/** An agent that comes again with the same endpoint does not change on whose word that rests; the operator may. */
function reachToKeep(known: Peer | undefined, url: string, given: Reach): Reach {
  return given === 'operator' || known?.endpoint !== url ? given : (known.reach ?? given)
}

/** Where as many are waiting as fit, one that was not approved within a day gives way. */
function roomForPending(view: View, now: Stamp): LocalChange[] {
  if (view.peers.size - approvedCount(view) < LIMITS.pendingPeers) return []
  const horizon = addMicros(now, -LIMITS.pendingPeerSeconds * 1_000_000)
  for (const { trust, registered_at, agent_id } of view.peers.oldestFirst())
    if (trust === 'pending' && registered_at < horizon) return [{ table: 'peer', id: agent_id, value: null }]
  throw new Fault('unavailable', 'Too many registrations are waiting for approval', {
    next: 'Ask the operator for a key',
  })
}

export function approvedCount(view: View): number {
  let count = 0
  for (const peer of view.peers.oldestFirst()) if (peer.trust === 'approved') count++
  return count
}
