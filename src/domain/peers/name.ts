import { Name } from '../../protocol/words.ts'
import type { Decision } from '../change.ts'
import type { Caller } from '../env.ts'
import type { Peer } from '../model.ts'
import type { View } from '../view.ts'

/**
 * Notes what a paired peer calls itself by now. It is only shown: what counts is the name under which it was let in,
 * because that one was looked at, and a peer could call itself like any other.
 */
export function hearName(
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

/** Null where that is the name it was let in under. */
export const otherNameOf = ({ calls_itself, repo_name }: Peer): string | null =>
  calls_itself === undefined || calls_itself === repo_name ? null : calls_itself
