import type { Peer } from '../../domain/model.ts'
import { isSameKey, keyIdOf } from '../../domain/trust/key-id.ts'
import { type IdentityInCard, ROTATION_TYP, successorIn } from '../../domain/trust/rotation.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { Parts } from '../parts.ts'
import type { Store, VerifySignature } from '../ports/ports.ts'

interface SuccessorDeps extends Pick<Parts, 'verify'> {
  readonly store: Pick<Store, 'commit'>
}

export type Successors = ReturnType<typeof createSuccessors>

/** How a peer gets from the key that is pinned to a newer one, for which the pinned one vouches. */
export const createSuccessors = ({ store, verify }: SuccessorDeps) => ({
  /** Whether the rotations in a card lead from this key to the one that it shows. */
  leadTo: async ({ key, rotations }: IdentityInCard, from: PublicKey, agentId: string): Promise<boolean> =>
    isSameKey(await followRotations(from, { agentId, rotations, verify }), key),

  /** Not over what was pinned meanwhile, as by pairing anew. All keys are kept: what was confirmed by one is so for the next. */
  pin: (agentId: string, from: PublicKey, to: PublicKey): Promise<void> =>
    store.commit((view) => {
      const peer = view.peers.get(agentId)
      if (peer?.identity === undefined || !isSameKey(peer.identity, from)) return { result: undefined }
      const former_keys = [keyIdOf(from), ...(peer.former_keys ?? [])]
      const value: Peer = { ...peer, identity: to, former_keys }
      return { result: undefined, local: [{ table: 'peer', id: agentId, value }] }
    }),
})

/** The newest key of an agent: follows its rotations from this key, each signed by the key before. */
export async function followRotations(
  from: PublicKey,
  { agentId, rotations, verify }: { agentId: string; rotations: readonly string[]; verify: VerifySignature },
): Promise<PublicKey> {
  let trusted = from
  for (const statement of rotations) {
    const claims = await verify(statement, trusted, ROTATION_TYP)
    trusted = (claims && successorIn(claims, agentId, trusted)) ?? trusted
  }
  return trusted
}
