import { z } from 'zod'
import { Aid } from '../protocol/aid.ts'
import { Fault } from '../protocol/fault.ts'
import { LIMITS } from '../protocol/limits.ts'
import { Endpoint, Name } from '../protocol/words.ts'
import type { Decision } from './change.ts'
import type { Env } from './env.ts'
import type { Peer } from './model.ts'
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
  if (caller.kind === 'anonymous') {
    if (known?.trust === 'approved')
      throw new Fault('forbidden', `${agentId} is registered already; changing it needs a key`)
    if (known === undefined && view.peers.size - approvedCount(view) >= LIMITS.pendingPeers)
      throw new Fault('unavailable', 'Too many registrations are waiting for approval', {
        next: 'Ask the operator for a key',
      })
  } else if (known === undefined && view.peers.size >= LIMITS.peers) {
    throw new Fault('unavailable', `This daemon has ${LIMITS.peers} peers already, which is the limit`)
  }
  const trust = caller.kind === 'anonymous' ? 'pending' : 'approved'
  const peer: Peer = {
    agent_id: agentId,
    endpoint: endpoint.replace(/\/+$/, ''),
    repo_name: repoName,
    trust,
    registered_at: known?.registered_at ?? now,
    last_seen: now,
  }
  const isNew = trust === 'approved' && known?.trust !== 'approved'
  return {
    result: {
      status: trust === 'approved' ? 'registered' : 'pending',
      peerCount: approvedCount(view) + (isNew ? 1 : 0),
    },
    local: [{ table: 'peer', id: agentId, value: peer }],
  }
}

export function approvedCount(view: View): number {
  let count = 0
  for (const peer of view.peers.oldestFirst()) if (peer.trust === 'approved') count++
  return count
}
