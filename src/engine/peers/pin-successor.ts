import type { Peer } from '../../domain/model.ts'
import { isSameKey, keyIdOf } from '../../domain/trust/key-id.ts'
import type { IdentityInCard } from '../../domain/trust/rotation.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { Parts } from '../parts.ts'
import type { Store } from '../ports/ports.ts'
import { followRotations } from './follow-rotations.ts'

/** How a peer gets from the key that is pinned to a newer one, for which the pinned one vouches. */
export interface Successors {
  /** Whether the rotations in a card lead from this key to the one that it shows. */
  leadTo(shown: IdentityInCard, from: PublicKey, agentId: string): Promise<boolean>
  /** Not over what was pinned meanwhile, as by pairing anew. All keys are kept: what was confirmed by one is so for the next. */
  pin(agentId: string, from: PublicKey, to: PublicKey): Promise<void>
}

interface SuccessorDeps extends Pick<Parts, 'verify'> {
  readonly store: Pick<Store, 'commit'>
}

export const createSuccessors = ({ store, verify }: SuccessorDeps): Successors => ({
  leadTo: async ({ key, rotations }, from, agentId) =>
    isSameKey(await followRotations(from, { agentId, rotations, verify }), key),
  pin: (agentId, from, to) =>
    store.commit((view) => {
      const peer = view.peers.get(agentId)
      if (peer?.identity === undefined || !isSameKey(peer.identity, from)) return { result: undefined }
      const former_keys = [keyIdOf(from), ...(peer.former_keys ?? [])]
      const value: Peer = { ...peer, identity: to, former_keys }
      return { result: undefined, local: [{ table: 'peer', id: agentId, value }] }
    }),
})
