import { isAid } from '../../protocol/agent/aid.ts'
import { isAgentId } from '../../protocol/agent/is-agent-id.ts'
import { Name } from '../../protocol/words.ts'
import type { Decision } from '../change.ts'
import type { Self } from '../env.ts'
import type { Peer } from '../model.ts'
import type { View } from '../view.ts'
import { forgettingPeer } from './peers.ts'

/** What the agent card at a peer's endpoint says. */
interface CardIdentity {
  readonly agentId: string | null
  readonly repo: string | null
}

/**
 * Completes a registration from the agent card at its endpoint. A registration may omit the repository, and may give
 * an agent another name than its own: then the card is right. But if the two were paired, or the name is a full agent
 * ID, a different name in the card means that another agent answers: then the result is undefined.
 */
export function peerByCard(
  view: View,
  peer: Peer,
  card: CardIdentity & { self: Self },
): Decision<Peer | undefined> {
  const { agent_id } = peer
  const { agentId, repo, self } = card
  const repoName = peer.repo_name || (Name.safeParse(repo).data ?? '')
  if (agentId === null || agentId === agent_id) {
    if (repoName === peer.repo_name) return { result: peer }
    const named: Peer = { ...peer, repo_name: repoName }
    return { result: named, local: [{ table: 'peer', id: agent_id, value: named }] }
  }
  const there = view.peers.get(agentId)
  const isNickname = peer.identity === undefined && !isAid(agent_id) && isAgentId(agentId)
  const isTaken = view.guests.get(agentId) !== undefined || (there?.trust ?? 'approved') !== 'approved'
  if (!isNickname || isTaken) return { result: undefined }
  const forgotten = forgettingPeer(view, agent_id)
  if (there !== undefined || agentId === self.agentId) return { result: undefined, local: forgotten }
  const value: Peer = { ...peer, agent_id: agentId, repo_name: repoName }
  return { result: undefined, local: [...forgotten, { table: 'peer', id: agentId, value }] }
}
