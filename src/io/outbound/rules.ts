import type { View } from '../../domain/view.ts'
import type { Addressee, KeyHolder } from '../../engine/ports/ports.ts'
import type { OutboundRules } from './outbound.ts'
import type { PinnedPeer } from './proven-socket.ts'

/** Also a peer that is gone meanwhile is looked for only where any caller may point to. */
export function rulesOfCall(to: Addressee | undefined, view: View): OutboundRules {
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
