import type { Peer } from '../../domain/model.ts'
import { isHubEndpoint } from '../../protocol/hub-address.ts'
import type { Parts } from '../parts.ts'
import type { Link, LinkReport } from './link/link.ts'

export interface ReplicatorDeps extends Pick<Parts, 'view' | 'timers' | 'random' | 'rules'> {
  createLink(peer: Peer): Link
}

/** One link per approved peer: woken by every durable change, and now and then told to compare. */
export class Replicator implements AsyncDisposable {
  readonly #deps: ReplicatorDeps
  readonly #links = new Map<string, Link>()
  #cancelRepair: () => void = () => {}
  #isEnded = false

  constructor(deps: ReplicatorDeps) {
    this.#deps = deps
    for (const peer of deps.view.peers.oldestFirst()) this.meet(peer)
    this.#repairLater()
  }

  /**
   * A peer was stored, for the first time or again. Nobody would stop a link that came after the end. Who is known by
   * the hub alone has no address to link to: statements come and go by the hub itself.
   */
  meet(peer: Peer): void {
    if (peer.trust !== 'approved' || isHubEndpoint(peer.endpoint) || this.#isEnded) return
    const known = this.#links.get(peer.agent_id)
    if (known === undefined) this.#links.set(peer.agent_id, this.#deps.createLink(peer))
    else known.reconnect(peer)
  }

  /** A peer was let in that has yet to note the key with which we call it: it says hello when it has. */
  expect(peer: Peer): void {
    this.#links.get(peer.agent_id)?.reconnect(peer)
  }

  /** A peer said hello; `bootId` is another one after each of its starts. */
  hearBootId(agentId: string, bootId: string): void {
    const peer = this.#deps.view.peers.get(agentId)
    if (peer !== undefined && !this.#links.has(agentId)) this.meet(peer)
    this.#links.get(agentId)?.hearBootId(bootId)
  }

  /** Durable changes are in the log. */
  wake(): void {
    for (const link of this.#links.values()) link.wake()
  }

  /** Compares with all peers, or with one, as soon as possible. */
  repairNow(agentId?: string): void {
    for (const [id, link] of this.#links) {
      if ((agentId ?? id) !== id) continue
      link.hurry()
      link.repairSoon()
    }
  }

  /** Compares with a peer at the next opportunity. */
  compareSoon(agentId: string): void {
    this.#links.get(agentId)?.repairSoon()
  }

  /** A peer showed that it is there. */
  hear(agentId: string): void {
    this.#links.get(agentId)?.hear()
  }

  async part(agentId: string): Promise<void> {
    const link = this.#links.get(agentId)
    this.#links.delete(agentId)
    await link?.stop()
  }

  report(agentId: string): LinkReport | undefined {
    return this.#links.get(agentId)?.report()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isEnded = true
    this.#cancelRepair()
    await Promise.all(Array.from(this.#links.values(), (link) => link.stop()))
    this.#links.clear()
  }

  #repairLater(): void {
    const { timers, random, rules } = this.#deps
    this.#cancelRepair = timers.after(rules.repairEveryMillis, () => {
      const connected = [...this.#links.values()].filter((link) => link.isConnected)
      connected[Math.floor(random() * connected.length)]?.repairSoon()
      this.#repairLater()
    })
  }
}
