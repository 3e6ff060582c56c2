import { naiveStamp } from './stamp.ts'
import { copy } from './state.ts'

export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** POSTs one JSON-RPC object to a peer and answers the body of its reply; rejects when there is none. */
export type Send = (endpoint: string, body: object, headers: Record<string, string>) => Promise<unknown>

export interface PlainPeerSelf {
  readonly agentId: string
  readonly repoName: string
  readonly endpoint: string
}

interface KnownPeer extends PlainPeerSelf {
  failures: number
  lastSeen: string
}

const FAILURES_UNTIL_SILENCE = 3

/** Whom the reference broadcasts to. No outbox, no retry, no probe: what a peer misses, it misses. */
export class PlainRegistry {
  readonly #self: PlainPeerSelf
  readonly #clock: () => number
  readonly #send: Send
  readonly #peers = new Map<string, KnownPeer>()

  constructor({ self, clock, send }: { self: PlainPeerSelf; clock: () => number; send: Send }) {
    this.#self = self
    this.#clock = clock
    this.#send = send
  }

  get size(): number {
    return this.#peers.size
  }

  list(): object[] {
    return [...this.#peers.values()].map((peer) => ({
      agentId: peer.agentId,
      endpoint: peer.endpoint,
      repoName: peer.repoName,
      isHealthy: isHealthy(peer),
      lastSeen: peer.lastSeen,
    }))
  }

  forgetAll(): void {
    this.#peers.clear()
  }

  /** Announces itself before it answers. Being registered again is the only way back from silence. */
  async register({ agentId, endpoint, repoName }: PlainPeerSelf): Promise<void> {
    if (agentId === this.#self.agentId) return
    const peer = { agentId, endpoint, repoName, failures: 0, lastSeen: naiveStamp(this.#clock()) }
    this.#peers.set(agentId, peer)
    await this.#call(peer, 'cacp/peer/announce', this.#self)
  }

  async broadcast(method: string, params: object): Promise<void> {
    const body = { ...params, source_agent: this.#self.agentId }
    const healthy = [...this.#peers.values()].filter(isHealthy)
    await Promise.all(healthy.map((peer) => this.#call(peer, method, body)))
  }

  /** A result of status "error" counts as delivered; only silence and JSON-RPC errors are failures. */
  async #call(peer: KnownPeer, method: string, params: object): Promise<void> {
    const now = this.#clock()
    const { agentId, endpoint } = this.#self
    const body = copy({ jsonrpc: '2.0', method, params, id: `${agentId}-${now / 1000}` })
    const headers = { 'X-Agent-ID': agentId, 'X-Source-Endpoint': endpoint }
    try {
      const reply = await this.#send(peer.endpoint.replace(/\/+$/, ''), body, headers)
      if (Object.hasOwn(reply as object, 'error')) throw new Error('the peer answered with an error')
      peer.failures = 0
      peer.lastSeen = naiveStamp(this.#clock())
    } catch {
      peer.failures++
    }
  }
}

const isHealthy = ({ failures }: KnownPeer): boolean => failures < FAILURES_UNTIL_SILENCE
