import type { Agent } from 'undici'
import type { Addressee } from '../../engine/ports/ports.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { loadUndici } from './load-outbound.ts'
import { createConnector, type OutboundRules, type Resolve } from './outbound.ts'

const CONNECT_MILLIS = 5000

export interface OutboundOptions {
  /** Who we are, in the headers that the reference implementation sends too. */
  agentId: string
  endpoint: string
  /** What a call keeps to, by whom it is to. */
  rulesFor: (to: Addressee | undefined) => OutboundRules
  /** What an agent gave us to call it with. Left out where none did. */
  keyFor?: (agentId: string) => string | undefined
  /** In the place of the system's lookup of names. */
  resolve?: Resolve | undefined
}

/** How to call somebody at this moment. */
export interface Outbound {
  readonly agent: Agent
  readonly headers: Readonly<Record<string, string>>
}

/** Connections to other daemons: only where they may be, with the certificate that is known, under their key. */
export interface OutboundAgents {
  /** For calls with a key or contents: whoever is pinned has proven on the connection who it is. */
  callTo(to: Addressee | undefined): Promise<Outbound>
  /** For public documents, without a key: by them one finds out who is there, who has not proven yet whose key it may see. */
  visitTo(to: Addressee | undefined): Promise<Outbound>
  /** Breaks off whatever is still going on. */
  destroy(): Promise<void>
}

export function createOutboundAgents(
  { agentId, endpoint, rulesFor, keyFor = () => undefined, resolve }: OutboundOptions,
  options: Omit<Agent.Options, 'connect'>,
): OutboundAgents {
  /** By the rules that their connections keep to: what was opened under one rule is not used under another. */
  const agents = new Map<string, Agent>()

  /** One for each peer and each class are kept; those of certificates and keys that were replaced go. */
  function dropOldest(): void {
    const [oldest] = agents
    if (oldest === undefined || agents.size <= LIMITS.peers + 4) return
    agents.delete(oldest[0])
    void oldest[1].close().catch(() => {})
  }

  function agentUnder(rules: OutboundRules, undici: typeof import('undici')): Agent {
    const name = nameOf(rules)
    const known = agents.get(name)
    if (known !== undefined) return known
    const connect = createConnector(rules, { resolve, timeout: CONNECT_MILLIS })
    const agent = new undici.Agent({ ...options, connect })
    agents.set(name, agent)
    dropOldest()
    return agent
  }

  function headersFor(to: Addressee | undefined): Outbound['headers'] {
    const key = typeof to === 'string' ? keyFor(to) : undefined
    return {
      'x-agent-id': agentId,
      'x-source-endpoint': endpoint,
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    }
  }

  // Rules and key are looked up after undici was loaded and together, for every call: no key goes over a connection that
  // was made under the rules of another.
  return {
    async callTo(to) {
      const undici = await loadUndici()
      return { agent: agentUnder(rulesFor(to), undici), headers: headersFor(to) }
    },
    async visitTo(to) {
      const undici = await loadUndici()
      return { agent: agentUnder({ ...rulesFor(to), peer: undefined }, undici), headers: {} }
    },
    async destroy() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

/** With who is at the other end: what one peer has proven says nothing of another, nor of the key after it. */
function nameOf({ reach, certificate = '', peer }: OutboundRules): string {
  const place = `${reach} ${certificate}`
  return peer === undefined ? place : `${place} ${peer.key.x} ${peer.basePath} ${peer.agentId}`
}
