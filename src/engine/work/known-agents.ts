import type { Peer } from '../../domain/model.ts'
import { AgentType } from '../../protocol/chiffon/envelope.ts'
import { CHIFFON_VERSIONS, commonVersion } from '../../protocol/chiffon/versions.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { Fault } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Work } from '../../protocol/work.ts'
import type { Parts } from '../parts.ts'
import { type AgentBreaker, createAgentBreaker } from './agent-breaker.ts'
import type { WorkRules } from './rules.ts'

export interface KnownAgentsDeps extends Pick<Parts, 'store' | 'client' | 'clock' | 'timers'> {
  readonly rules: WorkRules
}

/** Which version of the protocol to use with an agent, and how to address it. */
export interface AgentProtocol {
  /** The lowest version that both sides know; undefined when there is none. */
  readonly version: string | undefined
  readonly agentType: AgentType
}

/** For an agent whose card says nothing about this protocol, or cannot be read. */
export const DEFAULT_PROTOCOL: AgentProtocol = { version: CHIFFON_VERSIONS[0], agentType: 'code' }

export type KnownAgents = ReturnType<typeof createKnownAgents>

/**
 * The agents that work can be delegated to: the approved peers, each with its breaker and when it last sent
 * something.
 */
export function createKnownAgents({ store, client, clock, timers, rules }: KnownAgentsDeps) {
  const breakers = new Map<string, AgentBreaker>()
  const heard = new Map<string, Stamp>()

  return {
    named,
    endpointOf,
    protocolOf,
    cancelRun,
    breakerOf(agentId: string): AgentBreaker {
      const probe = async () => client.get(`${endpointOf(agentId) ?? ''}/health`, rules.probeMillis, agentId)
      return getOrAdd(breakers, agentId, () => createAgentBreaker({ rules: rules.breaker, timers, probe }))
    },
    hear(agentId: string): void {
      heard.set(agentId, clock.now())
    },
    lastHeard: (agentId: string): Stamp | null => heard.get(agentId) ?? null,
    stop(): void {
      for (const breaker of breakers.values()) breaker.stop()
    },
  }

  /** By agent ID, repository or URL. */
  function named(word: string): Peer {
    const wanted = word.replace(/\/+$/, '')
    const meant = [...store.view.peers.oldestFirst()].filter(
      ({ trust, agent_id, repo_name, endpoint }) =>
        trust === 'approved' && (agent_id === word || repo_name === word || endpoint === wanted),
    )
    const [peer, another] = meant
    if (peer !== undefined && another === undefined) return peer
    const problem = peer === undefined ? 'is no peer of this daemon' : 'means several peers'
    throw new Fault('not_found', `peer: ${word.slice(0, 200)} ${problem}`, {
      next: 'Name one by its agent ID, as cacp/peer/list shows it, or connect it with cacp/peer/add',
      data: { field: 'peer', call: { method: 'cacp/peer/list', params: {} } },
    })
  }

  /** Undefined when it is no peer any more. */
  function endpointOf(agentId: string): string | undefined {
    const peer = store.view.peers.get(agentId)
    return peer?.trust === 'approved' ? peer.endpoint : undefined
  }

  /**
   * Undefined when its card cannot be read; such an agent is asked nevertheless, and will answer with an error if it
   * does not understand.
   */
  async function protocolOf(agentId: string): Promise<AgentProtocol | undefined> {
    const endpoint = endpointOf(agentId)
    if (endpoint === undefined) return undefined
    try {
      return readAgentProtocol(
        await client.get(`${endpoint}/.well-known/agent.json`, rules.probeMillis, agentId),
      )
    } catch {
      return undefined
    }
  }

  /**
   * The protocol has no message to cancel work. Another cacpd can be asked by its own methods: it knows the run by the
   * id of our request. Whatever any other agent still sends is ignored.
   */
  async function cancelRun({ request_id, agent_id }: Work): Promise<void> {
    const endpoint = endpointOf(agent_id)
    if (endpoint === undefined) return
    const call = async (method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
      const answer: unknown = JSON.parse(await client.post(`${endpoint}/`, body, rules.probeMillis, agent_id))
      const result = isJsonObject(answer) ? answer['result'] : undefined
      return isJsonObject(result) ? result : {}
    }
    const { runs } = await call('cacp/run/list', { dialect: 'chiffon', limit: 1000 })
    const run: unknown = Array.isArray(runs)
      ? runs.find((one) => isJsonObject(one) && one['request_id'] === request_id)
      : undefined
    if (isJsonObject(run))
      await call('cacp/run/cancel', { runId: run['run_id'], reason: 'canceled by its sender' })
  }
}

/** Reads `extensions.chiffon` of an agent card. */
function readAgentProtocol(cardText: string): AgentProtocol {
  const card = jsonIn(cardText)
  const extensions = isJsonObject(card) ? card['extensions'] : undefined
  const chiffon = isJsonObject(extensions) ? extensions['chiffon'] : undefined
  if (!isJsonObject(chiffon)) return DEFAULT_PROTOCOL
  const { versions, agentType } = chiffon
  return {
    version: Array.isArray(versions)
      ? commonVersion(CHIFFON_VERSIONS, versions.map(String))
      : DEFAULT_PROTOCOL.version,
    agentType: AgentType.safeParse(agentType).data ?? DEFAULT_PROTOCOL.agentType,
  }
}
