import { agentIn, HUB_SCHEME } from '../../protocol/hub-address.ts'
import { tokenOf } from './subject.ts'

/** Undefined for an agent whose ID is too long for a subject: only its hash would be in it, which leads to nobody. */
export function hubEndpointOf(agentId: string): string | undefined {
  const token = tokenOf(agentId)
  return agentIn(token) === agentId ? HUB_SCHEME + token : undefined
}

/** Where an agent listens for calls. */
export const callSubject = (org: string, agentId: string): string => `cacp.${org}.call.${tokenOf(agentId)}`
