import * as z from 'zod'
import { Aid } from '../../protocol/agent/aid.ts'
import { defined } from '../../protocol/collections/defined.ts'
import { Fault } from '../../protocol/fault.ts'
import { LIMITS } from '../../protocol/limits.ts'
import { Endpoint, Id, Name, Sha256 } from '../../protocol/words.ts'
import type { Decision, LocalChange } from '../change.ts'
import type { Env } from '../env.ts'
import type { Invitation, Peer } from '../model.ts'
import { forgettingPeer, peerOf, tooManyPeers } from '../peers/peers.ts'
import { reposForNewcomer } from '../repo/newcomer-claims.ts'
import { StampText } from '../statements/statement.ts'
import type { View } from '../view.ts'
import { assertWithinScope, type EndpointScope, endpointScopeOf } from './allowed-endpoint.ts'
import { inviteFor } from './invite.ts'
import { isSameKey } from './key-id.ts'
import { ApiKeyText, hashOfSecret, issueKey, retireOthers } from './keys.ts'
import { PublicKeyFields } from './rotation.ts'
import type { PublicKey } from './trust.ts'

/** The JWS type of the proofs, so that they cannot be mistaken for anything else. */
export const PAIR_TYP = 'cacpd-pair+jwt'

/** A JWS over the other side's key id and the hash of the secret. */
const Proof = z.string().max(4096)

/** What each side sends about itself: its identity, and the API key to call it with. */
const introduction = {
  agentId: Aid,
  repoName: Name,
  endpoint: Endpoint,
  publicKey: PublicKeyFields,
  apiKey: ApiKeyText,
  proof: Proof,
}

/** The body of POST /pair. A malformed secret gets the same answer as a wrong one. */
export const PairRequest = z.object({
  ...introduction,
  secret: z.string().max(200),
  certificate: Sha256.optional(),
  role: Name.optional(),
  language: Name.optional(),
})
export type PairRequest = z.output<typeof PairRequest>

/** A repo that the newcomer may claim with its own key, after this time. */
const Given = z.object({ projectId: Id, repoName: Name, at: StampText })

/** The answer to POST /pair. */
export const PairAnswer = z.object({
  ...introduction,
  projectId: Id.optional(),
  claimedRepo: Name.optional(),
  /** All repos that the newcomer may claim. */
  repos: z.array(Given).max(LIMITS.listItems).default([]),
})
export type PairAnswer = z.output<typeof PairAnswer>

interface Admitted {
  readonly projectId: string | null
  /** The repo that the newcomer may claim there. */
  readonly claimedRepo: string | null
  readonly gives: readonly Invitation[]
}

/**
 * Lets in a newcomer with an invite, in one step: the invite is used, the newcomer's identity is pinned, API keys are
 * stored in both directions, and the repo that it was invited for can be claimed.
 */
export function admitNewcomer(
  view: View,
  request: PairRequest,
  { keyHash, env }: { keyHash: string; env: Env },
): Decision<Admitted> {
  const { agentId, endpoint, publicKey, secret } = request
  const invite = inviteFor(view, { secretHash: hashOfSecret(secret), agentId, publicKey }, env.now)
  const reach = endpointScopeOf(env.caller)
  assertWithinScope(endpoint, reach)
  assertNotSelf(agentId, env)
  const replaced = invite.used_by === null ? invite.replaces : null
  if (replaced !== agentId) {
    assertNoGuest(view, agentId)
    assertSameIdentity(view, request, `ask for another invite: cacpd invite --replace ${agentId}`)
  }
  // A newcomer that comes again only needs the answer: its record stays as it is.
  const { project_id: projectId } = invite
  const before = invite.used_by === null ? undefined : view.peers.get(agentId)
  const repoName = before?.repo_name ?? invite.repo_name ?? request.repoName
  const newcomer = { ...request, repoName, reach, replaces: replaced }
  const { says, gives } =
    before === undefined
      ? reposForNewcomer(view, newcomer, { projectId, env })
      : { says: [], gives: before.invited_to ?? [] }
  return {
    result: { projectId, claimedRepo: projectId === null ? null : repoName, gives },
    says,
    local: [
      { table: 'invite', id: invite.invite_id, value: { ...invite, used_by: publicKey } },
      ...(replaced === null ? [] : [...forgettingPeer(view, replaced), withoutGuest(replaced)]),
      ...pairing(view, { ...newcomer, invitedTo: gives, promised: [] }, { keyHash, env }),
    ],
  }
}

/** The newcomer's side: pins the inviter, which has answered with an API key for this daemon. */
export function acceptInviter(
  view: View,
  { certificate, repos, ...answer }: PairAnswer & { readonly certificate: string | null },
  { keyHash, env }: { keyHash: string; env: Env },
): Decision<void> {
  const { agentId } = answer
  assertNotSelf(agentId, env)
  assertNoGuest(view, agentId)
  assertSameIdentity(view, answer, `run \`cacpd peers remove ${agentId}\` here, and join again`)
  const inviter = {
    ...answer,
    reach: 'operator' as const,
    replaces: null,
    invitedTo: [],
    promised: repos.map(({ projectId: project_id, repoName: repo_name, at }) => ({
      project_id,
      repo_name,
      at,
    })),
    ...(certificate === null ? {} : { certificate }),
  }
  return { result: undefined, local: pairing(view, inviter, { keyHash, env }) }
}

/** What a daemon says of itself; role and language are read from its agent card if they are missing. */
interface Introduced extends Omit<PairRequest, 'proof' | 'secret'> {
  readonly reach: EndpointScope
  /** The agent that it replaces, whose records are removed. */
  readonly replaces: string | null
  /** Repos that it may claim here, and repos that this daemon may claim there. */
  readonly invitedTo: readonly Invitation[]
  readonly promised: readonly Invitation[]
}

function pairing(
  view: View,
  introduced: Introduced,
  { keyHash, env: { now } }: { keyHash: string; env: Env },
): LocalChange[] {
  const { agentId, certificate, role, language, replaces } = introduced
  const known = replaces === agentId ? undefined : view.peers.get(agentId)
  if (known === undefined && view.peers.size >= LIMITS.peers) throw tooManyPeers()
  const peer: Peer = {
    agent_id: agentId,
    endpoint: introduced.endpoint.replace(/\/+$/, ''),
    repo_name: introduced.repoName,
    trust: 'approved',
    registered_at: known?.registered_at ?? now,
    last_seen: now,
    identity: introduced.publicKey,
    ...defined({ former_keys: known?.former_keys }),
    reach: introduced.reach,
    invited_to: withNewer(known?.invited_to, introduced.invitedTo),
    promised: withNewer(known?.promised, introduced.promised),
    ...defined({ certificate }),
    ...(role === undefined || language === undefined ? {} : { about: { role, language } }),
  }
  const key = { hash: keyHash, agentId }
  return [
    { table: 'peer', id: agentId, value: peer },
    { table: 'credential', id: agentId, value: { agent_id: agentId, key: introduced.apiKey } },
    ...(known === undefined ? [] : retireOthers(view, key, now)),
    ...issueKey(view, key, now),
  ]
}

/** One for each project: the newest. */
const withNewer = (before: readonly Invitation[] = [], newer: readonly Invitation[]): Invitation[] => [
  ...before.filter(({ project_id }) => newer.every((one) => one.project_id !== project_id)),
  ...newer,
]

/** Only paired peers have keys to renew. */
export function pairedPeer(view: View, agentId: string): Peer {
  const peer = peerOf(view, agentId)
  if (peer.trust === 'approved' && peer.identity !== undefined) return peer
  const why = peer.trust === 'revoked' ? 'was revoked' : 'was not paired with this daemon'
  throw new Fault('conflict', `${agentId} ${why}, so there is no key to renew`, {
    next: 'Pair the two: `cacpd invite` here, and `cacpd join URL` there',
    data: { agentId },
  })
}

function assertNotSelf(agentId: string, { self }: Env): void {
  if (agentId !== self.agentId) return
  throw new Fault('conflict', `Both daemons go by the agent ID ${agentId}`, {
    next: 'Start one of them with another --agent-id',
  })
}

/** An invite lets a new agent in; it must not replace the identity of a known one. */
function assertSameIdentity(
  view: View,
  { agentId, publicKey }: { agentId: string; publicKey: PublicKey },
  whatToDo: string,
): void {
  const identity = view.peers.get(agentId)?.identity
  if (identity === undefined || isSameKey(identity, publicKey)) return
  throw new Fault('conflict', `${agentId} is known with another identity`, {
    next: `If it was set up anew, ${whatToDo}`,
    data: { agentId },
  })
}

/** It must not replace a guest of this daemon either: the operator could not act as it any more. */
function assertNoGuest(view: View, agentId: string): void {
  if (view.guests.get(agentId) === undefined) return
  throw new Fault('conflict', `${agentId} is an agent that works with this daemon`, {
    next: `If it has a daemon of its own now, let it come by \`cacpd invite --replace ${agentId}\` from here`,
    data: { agentId },
  })
}

/** An agent with its own daemon is no guest here any more. */
const withoutGuest = (agentId: string): LocalChange => ({ table: 'guest', id: agentId, value: null })
