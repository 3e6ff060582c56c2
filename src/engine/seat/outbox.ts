import type { Change } from '../../domain/change.ts'
import { describeEntity, type Undelivered } from '../../domain/delivery/outbox.ts'
import { asideOf } from '../../domain/delivery/refused.ts'
import { entityKey } from '../../domain/entity.ts'
import { maySee, viewerOf } from '../../domain/lookup.ts'
import type { OutboxPeer } from '../../methods/seat/outbox.ts'
import type { Outbox } from '../../methods/seat/service.ts'
import type { Parts } from '../parts.ts'
import { countLacking, lackedBy } from '../replicate/link/lacking.ts'
import type { LinkReport } from '../replicate/link/link.ts'

export interface OutboxDeps extends Pick<Parts, 'view' | 'log'> {
  /** The state of the link to a peer; undefined where there is none. */
  report(agentId: string): LinkReport | undefined
}

const MOST_CHANGES_EXAMINED = 10_000

/**
 * What has not arrived at the peers, and why. There is no queue: it is derived from the state and the cursors of the
 * links.
 */
export function createOutbox({ view, log, report }: OutboxDeps): Outbox {
  return {
    list({ to, projectId, limit }) {
      const items: Undelivered[] = []
      const peers: OutboxPeer[] = []
      let left = MOST_CHANGES_EXAMINED
      let more = false
      for (const peer of view.peers.oldestFirst()) {
        const { agent_id: agentId, repo_name: repo } = peer
        if (peer.trust !== 'approved' || (to ?? agentId) !== agentId) continue
        const link = report(agentId)
        const behind = link?.exchange?.behind ?? countLacking(peer, { view, log })
        if (behind === 0) continue
        const [health, why] = [link?.health ?? 'connecting', whyOf(link)]
        peers.push({ agentId, repo, behind, health, why, lastSeen: link?.lastSeen ?? peer.last_seen })
        const isLacked = lackedBy(peer, view)
        for (const { change, refusal } of undelivered(agentId, link)) {
          if (--left < 0 || items.length === limit) {
            more = true
            break
          }
          if ((projectId ?? change.project_id) !== change.project_id) continue
          const found = view.projects.get(change.project_id)
          if (found === undefined || !maySee(found, viewerOf(peer))) continue
          const isMissing = refusal !== undefined || isLacked(change)
          const described = isMissing ? describeEntity(change, found) : undefined
          if (described !== undefined) items.push({ agentId, repo, ...described, why: refusal ?? why })
        }
      }
      return { items, peers, more }
    },
  }

  /** First what the peer refused, with its reason; then what comes after its cursor, oldest first. */
  function* undelivered(
    agentId: string,
    link: LinkReport | undefined,
  ): Iterable<{ readonly change: Change; readonly refusal?: string }> {
    const { acked_seq = 0, refused } = view.links.get(agentId) ?? {}
    const { acked = acked_seq, aside = asideOf(refused) } = link?.exchange ?? {}
    const refusals = new Map(aside.map(({ key, reason }) => [key, reason]))
    for (const [key, refusal] of refusals) {
      const change = log.get(key)
      if (change !== undefined) yield { change, refusal }
    }
    for (const change of log.after(acked)) if (!refusals.has(entityKey(change))) yield { change }
  }
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
