import { Name } from '../../protocol/words.ts'
import type { Decision } from '../change.ts'
import type { Caller } from '../env.ts'
import type { Peer } from '../model.ts'
import type { View } from '../view.ts'

/**
 * Records the repository name that a paired peer gives now. It is for display only: the name that the operator
 * approved stays valid, because a peer could take the name of any other.
 */
export function recordRepoName(
  view: View,
  { kind, agentId }: Caller,
  repoName: string | undefined,
): Decision<void> {
  const peer = view.peers.get(agentId)
  const name = Name.safeParse(repoName).data
  const isPaired = kind === 'peer' && peer?.trust === 'approved' && peer.identity !== undefined
  if (!isPaired || name === undefined || name === (peer.calls_itself ?? peer.repo_name))
    return { result: undefined }
  const value: Peer = { ...peer, calls_itself: name }
  return { result: undefined, local: [{ table: 'peer', id: agentId, value }] }
}

/** Null if it is the name under which it was approved. */
export const otherNameOf = ({ calls_itself, repo_name }: Peer): string | null =>
  calls_itself === undefined || calls_itself === repo_name ? null : calls_itself
