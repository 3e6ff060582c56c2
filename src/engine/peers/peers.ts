import { approveCard } from '../../domain/hub/approve-card.ts'
import { warningsOf } from '../../domain/peers/duplicate-daemons.ts'
import {
  approvePeer,
  forgettingPeer,
  otherNameOf,
  recordRepoName,
  registerPeer,
  revokePeer,
} from '../../domain/peers/peers.ts'
import { assertEncrypted, assertWithinScope } from '../../domain/trust/allowed-endpoint.ts'
import { fingerprintOf } from '../../domain/trust/fingerprint.ts'
import { settleOn } from '../../domain/trust/keys.ts'
import type { PeerReport } from '../../methods/peers/peer.ts'
import type { Peers } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import { isHubEndpoint } from '../../protocol/hub-address.ts'
import type { Directory } from '../hub/directory.ts'
import type { Parts } from '../parts.ts'
import { countLacking } from '../replicate/link/lacking.ts'
import { incompatible, isCompatible, readCard } from '../replicate/peer/card.ts'
import type { ApprovedOnlyClient } from './approved-only.ts'
import { registerAt } from './register-at.ts'

export interface PeersDeps
  extends Pick<Parts, 'self' | 'store' | 'log' | 'identity' | 'replicator' | 'rules' | 'clocks' | 'bootIds'>,
    Pick<Parts, 'refusals' | 'intake' | 'clock'> {
  client: ApprovedOnlyClient
  /** Who is on the hub, and whether this daemon is. */
  directory: Pick<Directory, 'list' | 'meant' | 'isConnected'>
  /** Called when a peer was shut out, so that its open connections are ended. */
  onShutOut?: (() => void) | undefined
}

const MOST_REFUSALS_LISTED = 100

/** The list of peers, and what the operator can do with them. */
export function createPeers(deps: PeersDeps): Peers {
  const { self, store, log, client, identity, replicator, rules, clocks, bootIds, refusals, intake } = deps
  const { clock, directory } = deps
  const register: Peers['register'] = async (body, env) => {
    const registered = await store.commit((view) => registerPeer(view, body, env))
    meet(body.agentId)
    return registered
  }

  /** Reads the peer anew, because it may have been shut out in the meantime. */
  function meet(agentId: string): void {
    const peer = store.view.peers.get(agentId)
    if (peer !== undefined) replicator.meet(peer)
  }

  return {
    register,

    async add(url, env) {
      assertEncrypted(url)
      assertWithinScope(url, 'operator', 'url')
      const card = readCard(await client.get(`${url}/.well-known/agent.json`, rules.probeMillis))
      if (!isCompatible(card)) throw incompatible(card)
      const { agentId, repo } = card
      if (agentId === null || repo === null)
        throw new Fault('unavailable', `The card at ${url} does not say which agent and repository it is of`)
      if (agentId === self.agentId)
        throw new Fault('conflict', `${url} is this daemon, or one that goes by the same agent ID`, {
          next: 'Start one of them with another --agent-id',
        })
      const theirStatus = await registerAt(url, { client, self, millis: rules.probeMillis })
      await register({ agentId, endpoint: url, repoName: repo }, env)
      return { agentId, repoName: repo, theirStatus }
    },

    async remove(agentId) {
      bootIds.forget(agentId)
      refusals.forget(agentId)
      await replicator.part(agentId)
      await store.commit((view) => ({ result: undefined, local: forgettingPeer(view, agentId) }))
    },

    async approve(agentId) {
      const isKnown = store.view.peers.get(agentId) !== undefined
      const card = isKnown ? undefined : await directory.meant(agentId)
      const approved = await store.commit((view) =>
        card === undefined ? approvePeer(view, agentId) : approveCard(view, card, clock.now()),
      )
      meet(agentId)
      return approved
    },

    async revoke(agentId) {
      await store.commit((view) => revokePeer(view, agentId))
      client.breakOff(agentId)
      deps.onShutOut?.()
      // It has no access any more, so the call need not wait until its link is closed.
      void replicator.part(agentId)
    },

    hello({ bootId }, { caller }) {
      if (store.view.peers.get(caller.agentId) !== undefined) bootIds.see(caller.agentId, bootId)
      replicator.hearBootId(caller.agentId, bootId)
      return store.commit((view) => ({
        result: { runsTwice: bootIds.runsTwice(caller.agentId) },
        local: caller.credential === undefined ? [] : settleOn(view, caller.agentId, caller.credential),
      }))
    },

    sync: (agentId) => replicator.repairNow(agentId),

    hear(repoName, { caller }) {
      replicator.hear(caller.agentId)
      return store.commit((view) => recordRepoName(view, caller, repoName))
    },

    list,

    async onHub() {
      const cards = await directory.list()
      return cards
        .filter(({ agentId }) => agentId !== self.agentId && store.view.peers.get(agentId) === undefined)
        .map(({ agentId, repo, role, capabilities, publicKey, storedAt }) => ({
          agentId,
          repoName: repo,
          role,
          capabilities,
          fingerprint: fingerprintOf(identity.publicKey, publicKey),
          lastSeen: storedAt,
        }))
    },

    warnings: () => [...clocks.warnings(), ...warningsOf(list(), self)],
  }

  /** What goes over the hub is as well as the hub is; `hub status` says what is wrong with it. */
  function healthWithoutLink(isOnHub: boolean): string {
    if (!isOnHub) return 'connecting'
    return directory.isConnected ? 'healthy' : 'failing'
  }

  function list(): PeerReport[] {
    return Array.from(store.view.peers.oldestFirst(), (peer) => {
      const { agent_id: agentId, trust, identity: pinned } = peer
      const link = replicator.report(agentId)
      const isOnHub = isHubEndpoint(peer.endpoint)
      const health = link?.health ?? (trust === 'approved' ? healthWithoutLink(isOnHub) : trust)
      return {
        agentId,
        endpoint: peer.endpoint,
        repoName: peer.repo_name,
        callsItself: otherNameOf(peer),
        trust,
        isHealthy: health === 'healthy',
        health,
        lastSeen: link?.lastSeen ?? peer.last_seen,
        lastError: link?.lastError ?? null,
        failures: link?.failures ?? 0,
        breaker: health === 'paused' ? 'open' : 'closed',
        behind:
          link?.exchange?.behind ??
          (trust === 'approved' && !isOnHub ? countLacking(peer, { view: store.view, log }) : null),
        clockSkewSeconds: link?.exchange?.clockSkewSeconds ?? null,
        aside: link?.exchange?.aside.slice(0, MOST_REFUSALS_LISTED) ?? [],
        fingerprint: pinned === undefined ? null : fingerprintOf(identity.publicKey, pinned),
        runsTwice: bootIds.runsTwice(agentId),
        hearsUsTwice: link?.exchange?.hearsUsTwice === true,
        refused: refusals.of(agentId),
        waiting: intake.waitingOf(agentId),
      }
    })
  }
}
