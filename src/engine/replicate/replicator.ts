import type { Peer } from '../../domain/model.ts'
import { isHubEndpoint } from '../../protocol/hub-address.ts'
import type { Parts } from '../parts.ts'
import type { Link, LinkReport } from './link/link.ts'

export interface ReplicatorDeps extends Pick<Parts, 'view' | 'timers' | 'random' | 'rules'> {
  createLink(peer: Peer): Link
}

export type Replicator = ReturnType<typeof createReplicator>

/** One link per approved peer: woken by every durable change, and now and then told to compare. */
export function createReplicator({ view, timers, random, rules, createLink }: ReplicatorDeps) {
  const links = new Map<string, Link>()
  let cancelRepair = () => {}
  let isEnded = false
  for (const peer of view.peers.oldestFirst()) meet(peer)
  repairLater()

  return {
    meet,

    /** A peer was let in that has yet to note the key with which we call it: it says hello when it has. */
    expect: (peer: Peer): void => links.get(peer.agent_id)?.reconnect(peer),

    /** A peer said hello; `bootId` is another one after each of its starts. */
    hearBootId(agentId: string, bootId: string): void {
      const peer = view.peers.get(agentId)
      if (peer !== undefined && !links.has(agentId)) meet(peer)
      links.get(agentId)?.hearBootId(bootId)
    },

    /** Durable changes are in the log. */
    wake(): void {
      for (const link of links.values()) link.wake()
    },

    /** Compares with all peers, or with one, as soon as possible. */
    repairNow(agentId?: string): void {
      for (const [id, link] of links) {
        if ((agentId ?? id) !== id) continue
        link.hurry()
        link.repairSoon()
      }
    },

    /** Compares with a peer at the next opportunity. */
    compareSoon: (agentId: string): void => links.get(agentId)?.repairSoon(),

    /** A peer showed that it is there. */
    hear: (agentId: string): void => links.get(agentId)?.hear(),

    async part(agentId: string): Promise<void> {
      const link = links.get(agentId)
      links.delete(agentId)
      await link?.stop()
    },

    report: (agentId: string): LinkReport | undefined => links.get(agentId)?.report(),

    async [Symbol.asyncDispose](): Promise<void> {
      isEnded = true
      cancelRepair()
      await Promise.all(Array.from(links.values(), (link) => link.stop()))
      links.clear()
    },
  }

  /**
   * A peer was stored, for the first time or again. Nobody would stop a link that came after the end. Who is known by
   * the hub alone has no address to link to: statements come and go by the hub itself.
   */
  function meet(peer: Peer): void {
    if (peer.trust !== 'approved' || isHubEndpoint(peer.endpoint) || isEnded) return
    const known = links.get(peer.agent_id)
    if (known === undefined) links.set(peer.agent_id, createLink(peer))
    else known.reconnect(peer)
  }

  function repairLater(): void {
    cancelRepair = timers.after(rules.repairEveryMillis, () => {
      const connected = [...links.values()].filter((link) => link.isConnected)
      connected[Math.floor(random() * connected.length)]?.repairSoon()
      repairLater()
    })
  }
}
