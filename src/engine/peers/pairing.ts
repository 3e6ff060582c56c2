import type { Env } from '../../domain/env.ts'
import { peerOf } from '../../domain/peers/peers.ts'
import { fingerprintOf } from '../../domain/trust/fingerprint.ts'
import { createInvite, inviteFor } from '../../domain/trust/invite.ts'
import { type InviteLink, inviteUrl, readInviteUrl } from '../../domain/trust/invite-url.ts'
import { keyIdOf } from '../../domain/trust/key-id.ts'
import { apiKeyOf, hashOfSecret, issueKey, retireOthers } from '../../domain/trust/keys.ts'
import {
  acceptInviter,
  admitNewcomer,
  PAIR_TYP,
  PairAnswer,
  type PairRequest,
  pairedPeer,
} from '../../domain/trust/pairing.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { Joined } from '../../methods/peers/peer.ts'
import type { Pairing } from '../../methods/services.ts'
import { Fault, wrongField } from '../../protocol/fault.ts'
import { jsonIn } from '../../protocol/json/in.ts'
import { readAs } from '../../protocol/read-as.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'
import { createInTurn } from '../ports/in-turn.ts'
import type { KeyHolder } from '../ports/ports.ts'
import { readCard } from '../replicate/peer/card.ts'
import { createConversation } from '../replicate/peer/conversation.ts'
import type { Replicator } from '../replicate/replicator.ts'

export interface PairingDeps
  extends Pick<Parts, 'self' | 'store' | 'client' | 'identity' | 'verify' | 'newSecret' | 'rules'> {
  replicator: Pick<Replicator, 'expect' | 'meet' | 'part'>
  /** Called after a pairing, on either side. */
  onPaired?: () => void
}

/** How two daemons come to trust each other: one operator makes an invite, the other uses it. */
export function createPairing(deps: PairingDeps): Pairing {
  const { self, store, client, identity, verify, newSecret, replicator, rules, onPaired } = deps
  /** One at a time, so that the key the other side ends up with is the one that was stored here last. */
  const inTurn = createInTurn()

  return {
    async invite(request, env) {
      const secret = newSecret()
      const secretHash = hashOfSecret(secret)
      const invite = await store.commit((view) => createInvite(view, request, { secretHash, env }))
      const { endpoint, certificate = null } = self
      return { invite, url: inviteUrl({ endpoint, secret, keyId: identity.keyId, certificate }) }
    },

    async admit(request, env) {
      const { publicKey, agentId } = request
      const secretHash = hashOfSecret(request.secret)
      const { replaces } = inviteFor(store.view, { secretHash, agentId, publicKey }, env.now)
      const expected = { sub: agentId, aud: identity.keyId, secretHash }
      if (!(await isProven(request, expected)))
        throw wrongField('proof', 'is not signed by publicKey for this invite', {
          next: 'Ask for a new invite: this daemon may have replaced its key since',
        })
      const apiKey = apiKeyOf(newSecret())
      const proof = await proofFor(keyIdOf(publicKey), secretHash, env)
      const { projectId, claimedRepo, gives } = await store.commit((view) =>
        admitNewcomer(view, request, { keyHash: hashOfSecret(apiKey), env }),
      )
      if (replaces !== null && replaces !== agentId) void replicator.part(replaces)
      replicator.expect(peerOf(store.view, agentId))
      onPaired?.()
      return {
        ...introduction(),
        apiKey,
        proof,
        ...(projectId === null ? {} : { projectId }),
        ...(claimedRepo === null ? {} : { claimedRepo }),
        repos: gives.map(({ project_id: projectId, repo_name: repoName, at }) => ({
          projectId,
          repoName,
          at,
        })),
      }
    },

    join: (url, env) => inTurn(() => join(url, env)),

    renew: (agentId, env) => inTurn(() => renew(agentId, env)),

    async takeKey(apiKey, { caller }) {
      const { agentId } = caller
      const peer = await store.commit((view) => ({
        result: pairedPeer(view, agentId),
        local: [{ table: 'credential', id: agentId, value: { agent_id: agentId, key: apiKey } }],
      }))
      // Used at once, so that the other side can drop the old key.
      replicator.meet(peer)
    },
  }

  async function renew(agentId: string, env: Env): Promise<void> {
    const apiKey = apiKeyOf(newSecret())
    const key = { hash: hashOfSecret(apiKey), agentId }
    const { endpoint } = await store.commit((view) => ({
      result: pairedPeer(view, agentId),
      local: issueKey(view, key, env.now),
    }))
    const conversation = createConversation({ client, endpoint, agentId, millis: rules.probeMillis })
    // The old key stays valid until the other side has confirmed the new one.
    await conversation.call('cacp/peer/takeKey', { apiKey })
    await store.commit((view) => ({ result: undefined, local: retireOthers(view, key, env.now) }))
  }

  async function join(url: string, env: Env): Promise<Joined> {
    const link = readInviteUrl(url)
    if (link.keyId === identity.keyId)
      throw new Fault('conflict', 'This invite is of this daemon itself', {
        next: 'Run `cacpd join URL` in the other repository',
      })
    const secretHash = hashOfSecret(link.secret)
    const apiKey = apiKeyOf(newSecret())
    const request: PairRequest = {
      ...introduction(),
      secret: link.secret,
      role: self.role,
      language: self.language,
      apiKey,
      proof: await proofFor(link.keyId, secretHash, env),
      ...(self.certificate === undefined ? {} : { certificate: self.certificate }),
    }
    const answer = await ask(link, request)
    const expected = { sub: answer.agentId, aud: identity.keyId, secretHash }
    if (keyIdOf(answer.publicKey) !== link.keyId || !(await isProven(answer, expected)))
      throw withoutTheKey(link)
    const inviter = { ...answer, endpoint: link.endpoint, certificate: link.certificate }
    const keyHash = hashOfSecret(apiKey)
    await store.commit((view) => acceptInviter(view, inviter, { keyHash, env }))
    replicator.meet(peerOf(store.view, answer.agentId))
    onPaired?.()
    return {
      agentId: answer.agentId,
      repoName: answer.repoName,
      fingerprint: fingerprintOf(identity.publicKey, answer.publicKey),
      projectId: answer.projectId ?? null,
      claimedRepo: answer.claimedRepo ?? null,
    }
  }

  async function ask(link: InviteLink, request: PairRequest): Promise<PairAnswer> {
    const { endpoint, certificate } = link
    const holder = isInClear(link) ? { holder: await holderAt(link) } : {}
    const text = await client.post(`${endpoint}/pair`, JSON.stringify(request), rules.probeMillis, {
      certificate,
      ...holder,
    })
    return readAs(PairAnswer, jsonIn(text), () => notACacpd(link))
  }

  /**
   * Over plain HTTP anybody may listen at that port, so the secret is sent only to a daemon that proves to have the
   * key of the invite.
   */
  async function holderAt(link: InviteLink): Promise<KeyHolder> {
    const { endpoint, certificate } = link
    const card = await client.get(`${endpoint}/.well-known/agent.json`, rules.probeMillis, { certificate })
    const { agentId, identity: shown } = readCard(card)
    if (agentId === null || shown === null) throw notACacpd(link)
    if (keyIdOf(shown.key) !== link.keyId) throw withoutTheKey(link)
    return { agentId, endpoint, key: shown.key }
  }

  function introduction() {
    const { agentId, repo: repoName, endpoint } = self
    return { agentId, repoName, endpoint, publicKey: identity.publicKey }
  }

  /** A signature that proves our identity to the other side of this one pairing. */
  function proofFor(aud: string, secretHash: string, { now }: Env): Promise<string> {
    return identity.sign({ sub: self.agentId, aud, secretHash, iat: epochSeconds(now) }, PAIR_TYP)
  }

  /** Whether the sender signed this very pairing with the key that it claims as its own. */
  async function isProven(
    { proof: jws, publicKey }: { proof: string; publicKey: PublicKey },
    { sub, aud, secretHash }: ProofClaims,
  ): Promise<boolean> {
    const claims = await verify(jws, publicKey, PAIR_TYP)
    return claims?.['sub'] === sub && claims['aud'] === aud && claims['secretHash'] === secretHash
  }
}

interface ProofClaims {
  /** The agent that signs. */
  readonly sub: string
  /** The key of the daemon it is for. */
  readonly aud: string
  readonly secretHash: string
}

const isInClear = ({ endpoint }: InviteLink): boolean => endpoint.startsWith('http:')

const notACacpd = ({ endpoint }: InviteLink): Fault =>
  new Fault('unavailable', `${endpoint} did not answer as a cacpd does`)

const withoutTheKey = ({ endpoint }: InviteLink): Fault =>
  new Fault('conflict', `Whoever answers at ${endpoint} does not have the key of the invite`, {
    next: 'Ask for a new invite: that daemon may have replaced its key since, or another one listens there',
  })
