import type { Self } from '../../domain/env.ts'
import { assertCanHandOver, handOver, proofFor, voicesOf } from '../../domain/speaking/hand-over.ts'
import type { OwnIdentity } from '../../methods/services.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Clock, RotatingIdentity, Store } from '../ports/ports.ts'
import type { Replicator } from '../replicate/replicator.ts'

export interface IdentityKeeperDeps {
  self: Self
  identity: RotatingIdentity
  store: Pick<Store, 'view' | 'commit'>
  clock: Pick<Clock, 'now' | 'newNonce'>
  replicator: Pick<Replicator, 'meet'>
  /** Told when the key was replaced. */
  onRotated?: (() => void) | undefined
}

export interface IdentityKeeper extends OwnIdentity {
  /** Ends what a crash left half done: a key that was made, and perhaps spoken by already. */
  finish(): Promise<void>
}

/** What the operator sees of the daemon's own identity, and does about it. */
export function createIdentityKeeper(deps: IdentityKeeperDeps): IdentityKeeper {
  const { self, identity, store, clock, replicator, onRotated } = deps
  let rotating: Promise<unknown> = Promise.resolve()

  const report = () => ({
    agentId: self.agentId,
    fingerprint: identity.keyId,
    publicKey: identity.publicKey,
    rotations: identity.rotations.length,
  })

  /** The next key is on disk before the first statement names it, and the old one until the last of them is. */
  async function rotate(): Promise<void> {
    assertCanHandOver(store.view, identity.keyId)
    const to = await identity.makeNext()
    const from = identity.keyId
    try {
      while (!(await handOverNow(from))) {}
    } catch (error) {
      // What was refused is not done at the next start after all.
      const isRefused = Fault.from(error).kind !== 'outcome_unknown'
      if (isRefused && voicesOf(store.view, to.keyId).length === 0) await identity.forgetNext()
      throw error
    }
    await identity.rotate(self.agentId)
    // Whoever is connected anew says hello with the new key, and hears it looked up.
    for (const peer of store.view.peers.oldestFirst()) replicator.meet(peer)
    onRotated?.()

    /** False where something was claimed by the old key since the proofs were made. */
    async function handOverNow(old: string): Promise<boolean> {
      const proofs = new Map(
        await Promise.all(
          voicesOf(store.view, old).map(async (voice) => {
            const text = proofFor(voice)
            return [text, await identity.signText(text, to.keyId)] as const
          }),
        ),
      )
      let takeBack: () => void = () => {}
      const written = store.commit((view) => {
        const env = { now: clock.now(), newNonce: clock.newNonce }
        const says = handOver(view, { from: old, to, proofs }, env)
        return { result: says !== undefined, says: says ?? [] }
      })
      // Together with what was just decided: whoever speaks from now on, speaks by the new key.
      if (voicesOf(store.view, old).length === 0) takeBack = identity.takeNext()
      try {
        return await written
      } catch (error) {
        takeBack()
        throw error
      }
    }
  }

  const inTurn = (): Promise<void> => {
    const done = rotating.then(rotate)
    rotating = done.catch(() => {})
    return done
  }

  return {
    report,
    rotate: () => inTurn().then(report),
    finish: () => (identity.next === undefined ? Promise.resolve() : inTurn()),
  }
}
