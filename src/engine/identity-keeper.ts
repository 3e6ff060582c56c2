import type { Self } from '../domain/env.ts'
import type { OwnIdentity } from '../methods/services.ts'
import type { RotatingIdentity, Store } from './ports.ts'
import type { Replicator } from './replicate/replicator.ts'

export interface IdentityKeeperDeps {
  self: Self
  identity: RotatingIdentity
  store: Pick<Store, 'view'>
  replicator: Pick<Replicator, 'meet'>
  /** Told when the key was replaced. */
  onRotated?: (() => void) | undefined
}

/** What the operator sees of the daemon's own identity, and does about it. */
export function createIdentityKeeper(deps: IdentityKeeperDeps): OwnIdentity {
  const { self, identity, store, replicator, onRotated } = deps
  const report = () => ({
    agentId: self.agentId,
    fingerprint: identity.keyId,
    publicKey: identity.publicKey,
    rotations: identity.rotations.length,
  })
  return {
    report,
    async rotate() {
      await identity.rotate(self.agentId)
      // Whoever is connected anew says hello with the new key, and hears it looked up.
      for (const peer of store.view.peers.oldestFirst()) replicator.meet(peer)
      onRotated?.()
      return report()
    },
  }
}
