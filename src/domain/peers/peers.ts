import * as z from 'zod'
import { AgentId } from '../../protocol/agent/id.ts'
import { Fault } from '../../protocol/fault.ts'
import { isHubEndpoint } from '../../protocol/hub-address.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { addMicros, type Stamp } from '../../protocol/stamp.ts'
import { Endpoint, Name } from '../../protocol/words.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Caller, Env } from '../env.ts'
import type { LinkState, Peer } from '../model.ts'
import { forgettingAll } from '../plain/shadow.ts'
import { assertWithinScope, type EndpointScope, endpointScopeOf } from '../trust/allowed-endpoint.ts'
import { keysOf, withoutKeys } from '../trust/keys.ts'
import type { PeerTrust } from '../trust/trust.ts'
import type { View } from '../view.ts'

/** The body of POST /peers/register in the CACP document. The reference leaves the repo's name to the agent card. */
export const Registration = z.object({ agentId: AgentId, endpoint: Endpoint, repoName: Name.optional() })
export type Registration = z.output<typeof Registration>

export interface Registered {
  readonly status: 'registered' | 'pending'
  readonly peerCount: number
}

/**
 * Stores a peer. A caller without a credential is stored as pending, for the operator to approve. A peer may register
 * only itself, and what was pinned at pairing stays as it is.
 */
export function registerPeer(
  view: View,
  { endpoint, ...body }: Registration,
  env: Env,
): Decision<Registered> {
  const { agentId, repoName } = body
  const { caller, self, now } = env
  if (agentId === self.agentId) return { result: { status: 'registered', peerCount: approvedCount(view) } }
  if (caller.kind === 'peer' && agentId !== caller.agentId)
    throw new Fault('forbidden', `${caller.agentId} cannot register ${agentId}`, {
      next: 'Every daemon registers itself; its operator can ask for an invite here',
    })
  const known = view.peers.get(agentId)
  if (caller.kind === 'open' && known?.trust === 'approved' && known.identity !== undefined)
    throw new Fault('forbidden', `${agentId} is paired with this daemon; changing it needs its key`, {
      next: 'That daemon registers itself with the key that it has; if it lost that, run `cacpd invite --replace` here and `cacpd join URL` there',
    })
  const named = repoName ?? known?.repo_name ?? ''
  const url = endpoint.replace(/\/+$/, '')
  const reach = reachToKeep(known, url, endpointScopeOf(caller))
  assertWithinScope(url, reach)
  const peer: Peer = {
    ...known,
    agent_id: agentId,
    endpoint: url,
    repo_name: known?.identity === undefined || caller.kind === 'operator' ? named : known.repo_name,
    trust: 'approved',
    registered_at: known?.registered_at ?? now,
    last_seen: now,
    reach,
  }
  if (!mayLetIn(caller, known)) return storeAsPending(view, peer, now)
  if (known === undefined && view.peers.size >= LIMITS.peers) throw tooManyPeers()
  const isNew = known?.trust !== 'approved'
  return {
    result: { status: 'registered', peerCount: approvedCount(view) + (isNew ? 1 : 0) },
    local: [{ table: 'peer', id: agentId, value: peer }],
  }
}

/** Who may approve a registration. A peer that registers itself may have been revoked meanwhile. */
function mayLetIn({ kind }: Caller, known: Peer | undefined): boolean {
  if (kind === 'peer') return known?.trust === 'approved'
  return kind === 'operator' || (kind === 'open' && known?.trust !== 'revoked')
}

/** An agent that registers again with the same endpoint does not change who vouched for it; the operator does. */
function reachToKeep(known: Peer | undefined, url: string, given: EndpointScope): EndpointScope {
  return given === 'operator' || known?.endpoint !== url ? given : (known.reach ?? given)
}

/** Stores a registration for the operator, who sees what the first of a name sent. It undoes no revocation. */
function storeAsPending(view: View, peer: Peer, now: Stamp): Decision<Registered> {
  const { agent_id: agentId } = peer
  const known = view.peers.get(agentId)
  if (known?.trust === 'approved')
    throw new Fault('forbidden', `${agentId} is registered already; changing it needs a key`, {
      next: 'If the two are connected, `cacpd peers` shows it; if that is a daemon set up anew, ask for an invite',
    })
  const result = { status: 'pending' as const, peerCount: approvedCount(view) }
  if (known !== undefined) return { result }
  const value: Peer = { ...peer, trust: 'pending' }
  return { result, local: [...roomForPending(view, now), { table: 'peer', id: agentId, value }] }
}

export const tooManyPeers = (): Fault =>
  new Fault('unavailable', `This daemon has ${LIMITS.peers} peers already, which is the limit`, {
    next: 'Ask the operator here to take some out with `cacpd peers remove PEER`',
  })

/** If too many are pending, one that is older than a day is removed. */
function roomForPending(view: View, now: Stamp): LocalChange[] {
  if (countOf(view, 'pending') < LIMITS.pendingPeers) return []
  const horizon = addMicros(now, -LIMITS.pendingPeerSeconds * 1_000_000)
  for (const { trust, registered_at, agent_id } of view.peers.oldestFirst())
    if (trust === 'pending' && registered_at < horizon) return [{ table: 'peer', id: agent_id, value: null }]
  throw new Fault('rate_limited', 'Too many registrations are waiting for approval', {
    next: 'Ask the operator here for an invite (`cacpd invite`), and run `cacpd join URL`',
  })
}

export const approvedCount = (view: View): number => countOf(view, 'approved')

const countOf = (view: View, trust: PeerTrust): number =>
  [...view.peers.oldestFirst()].filter((peer) => peer.trust === trust).length

export interface Approved {
  readonly peer: Peer
  /** Whether it was ever given an API key, or needs none on the hub: else it cannot call a daemon that is not open. */
  readonly hasKey: boolean
}

/** The operator looked at it and lets it in. */
export function approvePeer(view: View, agentId: string): Decision<Approved> {
  const peer: Peer = { ...peerOf(view, agentId), trust: 'approved' }
  return {
    result: { peer, hasKey: isHubEndpoint(peer.endpoint) || keysOf(view, agentId).length > 0 },
    local: [{ table: 'peer', id: agentId, value: peer }],
  }
}

/**
 * Records the repository name that a paired peer gives now. It is for display only: the name that the operator
 * approved stays valid, because a peer could take the name of any other.
 */
export function recordRepoName(
  view: View,
  { kind, agentId }: Caller,
  repoName: string | undefined,
): Decision<void> {
  const peer = view.peers.get(agentId)
  const name = Name.safeParse(repoName).data
  const isPaired = kind === 'peer' && peer?.trust === 'approved' && peer.identity !== undefined
  if (!isPaired || name === undefined || name === (peer.calls_itself ?? peer.repo_name))
    return { result: undefined }
  const value: Peer = { ...peer, calls_itself: name }
  return { result: undefined, local: [{ table: 'peer', id: agentId, value }] }
}

/** Null if it is the name under which it was approved. */
export const otherNameOf = ({ calls_itself, repo_name }: Peer): string | null =>
  calls_itself === undefined || calls_itself === repo_name ? null : calls_itself

/** From now on the peer is refused, and nothing is sent to it. Its record stays. */
export function revokePeer(view: View, agentId: string): Decision<void> {
  const peer: Peer = { ...peerOf(view, agentId), trust: 'revoked' }
  return {
    result: undefined,
    local: [...forgettingPeer(view, agentId), { table: 'peer', id: agentId, value: peer }],
  }
}

/** Removes the peer with its keys, shadows and link state. */
export function forgettingPeer(view: View, agentId: string): LocalChange[] {
  return [
    ...withoutKeys(view, agentId),
    ...forgettingAll(view, agentId),
    { table: 'link', id: agentId, value: null },
    { table: 'peer', id: agentId, value: null },
  ]
}

/** Saves the link state of a peer, unless the peer was revoked or removed meanwhile. */
export function linkStateChange(view: View, value: LinkState): LocalChange[] {
  const { agent_id: id } = value
  return view.peers.get(id)?.trust === 'approved' ? [{ table: 'link', id, value }] : []
}

export function peerOf(view: View, agentId: string): Peer {
  const peer = view.peers.get(agentId)
  if (peer !== undefined) return peer
  throw new Fault('not_found', `No peer ${agentId} here`, {
    next: 'List the peers with cacp/peer/list',
    data: { agentId, call: { method: 'cacp/peer/list', params: {} } },
  })
}
