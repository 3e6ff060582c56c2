import { isSameKey, keyIdOf } from '../../domain/key-id.ts'
import type { Peer } from '../../domain/model.ts'
import { ROTATION_TYP, type ShownIdentity, successorIn } from '../../domain/rotation.ts'
import type { PublicKey } from '../../domain/trust.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Store, VerifySignature } from '../ports.ts'

export interface PinDeps {
  store: Pick<Store, 'commit' | 'view'>
  verify: VerifySignature
}

/** Why a peer is not the one that was paired with; undefined when it is, or never showed who it is. */
export type DoubtIdentity = (agentId: string, shown: ShownIdentity | null) => Promise<Fault | undefined>

/**
 * Compares the key in a peer's card with the one that is pinned. Another key is pinned in its place
 * when the old one vouched for it, directly or through those in between.
 */
export function createDoubtIdentity({ store, verify }: PinDeps): DoubtIdentity {
  return async (agentId, shown) => {
    const pinned = store.view.peers.get(agentId)?.identity
    if (pinned === undefined) return undefined
    if (shown === null) return stranger(`shows no key, and ${keyIdOf(pinned)} is pinned`)
    if (isSameKey(shown.key, pinned)) return undefined
    if (!(await leadsTo(shown, pinned, agentId)))
      return stranger(
        `shows the key ${keyIdOf(shown.key)}, for which the pinned key ${keyIdOf(pinned)} does not vouch`,
      )
    await pin(agentId, pinned, shown.key)
    return undefined
  }

  async function leadsTo({ key, rotations }: ShownIdentity, from: PublicKey, agentId: string) {
    let trusted = from
    for (const statement of rotations) {
      const claims = await verify(statement, trusted, ROTATION_TYP)
      trusted = (claims && successorIn(claims, agentId, trusted)) ?? trusted
    }
    return isSameKey(trusted, key)
  }

  /** Not over what was pinned meanwhile, as by pairing anew. */
  async function pin(agentId: string, from: PublicKey, to: PublicKey): Promise<void> {
    await store.commit((view) => {
      const peer = view.peers.get(agentId)
      if (peer?.identity === undefined || !isSameKey(peer.identity, from)) return { result: undefined }
      const value: Peer = { ...peer, identity: to }
      return { result: undefined, local: [{ table: 'peer', id: agentId, value }] }
    })
  }
}

const stranger = (what: string): Fault =>
  new Fault('forbidden', `A stranger answers there: its card ${what}`, {
    next: 'If its operator replaced the identity, pair again: `cacpd invite --replace` there or here, then `cacpd join`',
  })
