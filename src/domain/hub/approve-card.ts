import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Decision } from '../change.ts'
import type { Peer } from '../model.ts'
import { type Approved, tooManyPeers } from '../peers/peers.ts'
import type { View } from '../view.ts'
import type { HubCard } from './card.ts'
import { hubEndpointOf } from './subject.ts'

/** The operator looked at a card on the hub and lets its agent in: its key is pinned, and it is called over the hub. */
export function approveCard(
  view: View,
  { agentId, repo, role, publicKey }: HubCard,
  now: Stamp,
): Decision<Approved> {
  const endpoint = hubEndpointOf(agentId)
  if (endpoint === undefined)
    throw new Fault('invalid_params', 'agentId: this one is too long for a hub', {
      next: 'Give that agent a shorter ID, or connect the two with an invite',
    })
  // It may have come another way meanwhile, with another key.
  if (view.peers.get(agentId) !== undefined)
    throw new Fault('conflict', `${agentId} became a peer of this daemon meanwhile`, {
      next: 'Look at it again with `cacpd peers`',
    })
  if (view.peers.size >= LIMITS.peers) throw tooManyPeers()
  const peer: Peer = {
    agent_id: agentId,
    endpoint,
    repo_name: repo,
    trust: 'approved',
    registered_at: now,
    last_seen: now,
    identity: publicKey,
    about: { role, language: '' },
  }
  return { result: { peer, hasKey: true }, local: [{ table: 'peer', id: agentId, value: peer }] }
}
