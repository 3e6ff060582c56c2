import type { Change } from '../../domain/change.ts'
import { describeEntity, type Undelivered } from '../../domain/delivery/outbox.ts'
import { asideOf } from '../../domain/delivery/refused.ts'
import { entityKey } from '../../domain/entity.ts'
import { maySee, viewerOf } from '../../domain/lookup.ts'
import type { Peer } from '../../domain/model.ts'
import type { View } from '../../domain/view.ts'
import type { OutboxPeer } from '../../methods/seat/outbox.ts'
import type { Outbox } from '../../methods/seat/service.ts'
import type { ChangeLog } from '../log/change-log.ts'
import { countLacking, lackedBy } from '../replicate/link/lacking.ts'
import type { LinkReport } from '../replicate/link/link.ts'

export interface OutboxDeps {
  view: View
  log: ChangeLog
  /** The state of the link to a peer; undefined where there is none. */
  report(agentId: string): LinkReport | undefined
}

/** How many changes are examined for one answer. */
const MAX_EXAMINED = 10_000

/**
 * What has not arrived at the peers, and why. There is no queue: it is derived from the state and the cursors of the
 * links.
 */
export function createOutbox({ view, log, report }: OutboxDeps): Outbox {
  return {
    list({ to, projectId, limit }) {
      const items: Undelivered[] = []
      const peers: OutboxPeer[] = []
      let left = MAX_EXAMINED
      let more = false
      for (const peer of view.peers.oldestFirst()) {
        if (peer.trust !== 'approved' || (to ?? peer.agent_id) !== peer.agent_id) continue
        const delivery = deliveryOf(peer)
        if (delivery.summary.behind === 0) continue
        peers.push(delivery.summary)
        const isLacked = lackedBy(peer, view)
        for (const { change, why, isRefused } of waitingFor(delivery)) {
          if (--left < 0 || items.length === limit) {
            more = true
            break
          }
          if ((projectId ?? change.project_id) !== change.project_id) continue
          const found = view.projects.get(change.project_id)
          if (found === undefined || !maySee(found, viewerOf(peer))) continue
          const described = isRefused || isLacked(change) ? describeEntity(change, found) : undefined
          if (described !== undefined)
            items.push({ agentId: peer.agent_id, repo: peer.repo_name, ...described, why })
        }
      }
      return { items, peers, more }
    },
  }

  function deliveryOf(peer: Peer): PeerDelivery {
    const { agent_id, repo_name } = peer
    const link = report(agent_id)
    const summary: OutboxPeer = {
      agentId: agent_id,
      repo: repo_name,
      behind: link?.exchange?.behind ?? countLacking(peer, { view, log }),
      health: link?.health ?? 'connecting',
      why: whyOf(link),
      lastSeen: link?.lastSeen ?? peer.last_seen,
    }
    const { acked_seq = 0, refused } = view.links.get(agent_id) ?? {}
    return {
      summary,
      acked: link?.exchange?.acked ?? acked_seq,
      aside: link?.exchange?.aside ?? asideOf(refused),
    }
  }

  /** First what the peer refused, then what comes after its cursor, oldest first. */
  function* waitingFor({ summary, acked, aside }: PeerDelivery): Iterable<Waiting> {
    const refused = new Map(aside.map(({ key, reason }) => [key, reason]))
    for (const [key, why] of refused) {
      const change = log.get(key)
      if (change !== undefined) yield { change, why, isRefused: true }
    }
    for (const change of log.after(acked))
      if (!refused.has(entityKey(change))) yield { change, why: summary.why, isRefused: false }
  }
}

interface PeerDelivery {
  readonly summary: OutboxPeer
  /** The last change up to which the peer has, or refused, everything. */
  readonly acked: number
  readonly aside: readonly { readonly key: string; readonly reason: string }[]
}

interface Waiting {
  readonly change: Change
  readonly why: string
  readonly isRefused: boolean
}

function whyOf(link: LinkReport | undefined): string {
  if (link === undefined) return 'there is no link to this peer yet'
  const { health, lastError, failures } = link
  if (health === 'healthy') return 'it is on its way'
  if (health === 'connecting') return lastError ?? 'the connection is being made'
  const times = failures > 1 ? `${failures} attempts failed` : 'the last attempt failed'
  const paused = health === 'paused' ? ', and there is a pause before the next' : ''
  return `${times}${paused}: ${lastError ?? 'no reason is known'}`
}
