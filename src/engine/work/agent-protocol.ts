import { AgentType } from '../../protocol/chiffon/envelope.ts'
import { CHIFFON_VERSIONS, commonVersion } from '../../protocol/chiffon/versions.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { isJsonObject } from '../../protocol/json/json.ts'

/** Which version of the protocol to use with an agent, and how to address it. */
export interface AgentProtocol {
  /** The lowest version that both sides know; undefined when there is none. */
  readonly version: string | undefined
  readonly agentType: AgentType
}

/** For an agent whose card says nothing about this protocol, or cannot be read. */
export const DEFAULT_PROTOCOL: AgentProtocol = { version: CHIFFON_VERSIONS[0], agentType: 'code' }

/** Reads `extensions.chiffon` of an agent card. */
export function readAgentProtocol(cardText: string): AgentProtocol {
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
