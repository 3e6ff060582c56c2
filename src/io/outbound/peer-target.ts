import type { View } from '../../domain/view.ts'
import type { Addressee, KeyHolder } from '../../engine/ports/ports.ts'
import type { ConnectionRules } from './connector.ts'
import type { Target } from './outbound-request.ts'
import type { PinnedPeer } from './proven-socket.ts'
import type { RequesterOptions } from './request.ts'

export interface PeerTargetOptions extends Pick<RequesterOptions, 'askOnHub' | 'resolve'> {
  /** Who we are, in the headers that the reference implementation sends too. */
  agentId: string
  endpoint: string
  rulesFor: (to: Addressee | undefined) => ConnectionRules
  /** The key that an agent gave us to call it with. */
  keyFor?: (agentId: string) => string | undefined
}

type TargetOf = (to: Addressee | undefined) => () => Target

/** For requests with a key or contents: a pinned peer has proven on the connection who it is. */
export function callTargets({ agentId, endpoint, rulesFor, keyFor }: PeerTargetOptions): TargetOf {
  return (to) => () => {
    const key = typeof to === 'string' ? keyFor?.(to) : undefined
    return {
      rules: rulesFor(to),
      headers: {
        'x-agent-id': agentId,
        'x-source-endpoint': endpoint,
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
    }
  }
}

/**
 * For requests for public documents, without a key: they tell who is at an address, so nobody there has proven yet that
 * it may see the key.
 */
export const documentTargets =
  ({ rulesFor }: PeerTargetOptions): TargetOf =>
  (to) =>
  () => ({ rules: { ...rulesFor(to), peer: undefined } })

/** The rules of a connection to an addressee. A peer that is not known any more may only be on this machine. */
export function rulesOfCall(to: Addressee | undefined, view: View): ConnectionRules {
  if (typeof to !== 'string')
    return {
      reach: 'operator',
      certificate: to?.certificate ?? undefined,
      peer: to?.holder && pinnedPeer(to.holder),
    }
  const { reach = 'loopback', certificate, identity: key, endpoint } = view.peers.get(to) ?? {}
  if (key === undefined || endpoint === undefined) return { reach, certificate }
  return { reach, certificate, peer: pinnedPeer({ agentId: to, endpoint, key }) }
}

const pinnedPeer = ({ agentId, endpoint, key }: KeyHolder): PinnedPeer => ({
  agentId,
  key,
  basePath: new URL(endpoint).pathname.replace(/\/$/, ''),
})
