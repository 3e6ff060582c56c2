import { isAgentId } from './agent/is-agent-id.ts'

/**
 * Where an agent is called that is known by the hub alone: `hub:` and its agent ID as one token, and behind it the path
 * as in any URL of a daemon.
 */

export const HUB_SCHEME = 'hub:'
const ADDRESS = /^hub:([A-Za-z0-9_=-]+)(\/\S*)?$/

export const isHubEndpoint = (endpoint: string): boolean => endpoint.startsWith(HUB_SCHEME)

/** Undefined for every other kind of URL. */
export function hubAddressIn(url: string): { agentId: string; path: string } | undefined {
  const [, token = '', path = '/'] = ADDRESS.exec(url) ?? []
  const agentId = agentIn(token)
  return agentId === undefined ? undefined : { agentId, path }
}

/** The agent whose ID is this token of a subject, where `=XX` is a byte; undefined where it is only its hash. */
export function agentIn(token: string): string | undefined {
  try {
    const agentId = decodeURIComponent(token.replaceAll('=', '%'))
    return isAgentId(agentId) ? agentId : undefined
  } catch {
    return undefined
  }
}
