import type { Peer } from '../../../domain/model.ts'
import { peerByCard } from '../../../domain/peers/by-card.ts'
import { Fault } from '../../../protocol/fault.ts'
import type { Parts } from '../../parts.ts'
import type { PeerCard } from './card.ts'

export interface ByCardDeps extends Pick<Parts, 'self' | 'store'> {
  /** Told of a peer that was stored under the name it goes by itself, and of the one that was forgotten for it. */
  meet(peer: Peer): void
  part(agentId: string): void
}

/** The peer with what its card adds; throws where another agent answers than the one that was registered. */
export type ReadByCard = (peer: Peer, card: PeerCard) => Promise<Peer>

export function createReadByCard({ self, store, meet, part }: ByCardDeps): ReadByCard {
  return async (registered, { agentId, repo }) => {
    const { agent_id } = registered
    if (agentId === agent_id && registered.repo_name !== '') return registered
    const found = await store.commit((view) => {
      const known = view.peers.get(agent_id)
      // Who was removed or shut out meanwhile does not come back by this.
      return known?.trust === 'approved'
        ? peerByCard(view, known, { agentId, repo, self })
        : { result: registered }
    })
    if (found !== undefined) return found
    const other = agentId ?? ''
    if (store.view.peers.get(agent_id) === undefined) part(agent_id)
    const peer = store.view.peers.get(other)
    if (peer !== undefined && peer.endpoint === registered.endpoint) meet(peer)
    throw new Fault('unavailable', `Another agent answers there: ${other.slice(0, 256)}`)
  }
}
