import { AgentType } from '../../protocol/chiffon/envelope.ts'
import { CHIFFON_VERSIONS, commonVersion } from '../../protocol/chiffon/versions.ts'
import { isJsonObject } from '../../protocol/json/json.ts'

/** How an agent wants to be talked to. */
export interface Manners {
  /** The lowest version that both sides speak; undefined when there is none. */
  readonly version: string | undefined
  readonly agentType: AgentType
}

/** Of an agent whose card says nothing about this protocol, or cannot be read. */
export const PLAIN_MANNERS: Manners = { version: CHIFFON_VERSIONS[0], agentType: 'code' }

/** What `extensions.chiffon` of an agent card says. */
export function readManners(cardText: string): Manners {
  const card = parsed(cardText)
  const extensions = isJsonObject(card) ? card['extensions'] : undefined
  const chiffon = isJsonObject(extensions) ? extensions['chiffon'] : undefined
  if (!isJsonObject(chiffon)) return PLAIN_MANNERS
  const { versions, agentType } = chiffon
  return {
    version: Array.isArray(versions)
      ? commonVersion(CHIFFON_VERSIONS, versions.map(String))
      : PLAIN_MANNERS.version,
    agentType: AgentType.safeParse(agentType).data ?? PLAIN_MANNERS.agentType,
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
