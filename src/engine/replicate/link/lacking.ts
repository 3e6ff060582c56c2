import type { Change } from '../../../domain/change.ts'
import { entityKey } from '../../../domain/entity.ts'
import { maySee, viewerOf } from '../../../domain/lookup.ts'
import type { Peer } from '../../../domain/model.ts'
import { isDue, shadowOf } from '../../../domain/plain/shadow.ts'
import type { View } from '../../../domain/view.ts'
import type { Parts } from '../../parts.ts'

/** What a peer lacks by what is remembered of it; while it is away, no exchange knows better. */

/** Changes that are looked at one by one to count them, for every peer that is away and whenever one asks. */
const MOST_LOOKS = 1000

/** Whether a peer is to get a change that it has not acknowledged; of a plain one its shadows tell. */
export function lackedBy(peer: Peer, view: View): (change: Change) => boolean {
  const { agent_id } = peer
  const isPlain = view.links.get(agent_id)?.plain === true
  return (change) => {
    const found = view.projects.get(change.project_id)
    if (found === undefined) return false
    if (!isPlain) return maySee(found, viewerOf(peer))
    return found.project.visibility === 'all' && isDue(change, found, shadowOf(view, agent_id, change))
  }
}

/**
 * How many entities it lacks, all where it was never reached. Where looking at each would take too long, how often they
 * changed; null for a plain peer, of which that says nothing.
 */
export function countLacking(peer: Peer, { view, log }: Pick<Parts, 'view' | 'log'>): number | null {
  const { acked_seq = 0, plain = false, refused } = view.links.get(peer.agent_id) ?? {}
  const changed = log.countAfter(acked_seq)
  if (changed > MOST_LOOKS) return plain ? null : changed
  const lacked = new Set<string>()
  const isLacked = lackedBy(peer, view)
  for (const change of log.after(acked_seq)) if (isLacked(change)) lacked.add(entityKey(change))
  return lacked.size + (refused?.count ?? 0)
}
