import { assertCanHandOver, handOver, proofFor, speakingRightsOf } from '../../domain/speaking/hand-over.ts'
import { endingAllSessions } from '../../domain/trust/ui-session.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Parts } from '../parts.ts'
import { createInTurn } from '../ports/in-turn.ts'
import type { Replicator } from '../replicate/replicator.ts'

interface IdentityKeeperDeps extends Pick<Parts, 'self' | 'identity' | 'store' | 'clock'> {
  replicator: Pick<Replicator, 'meet'>
  /** Called when the key has been replaced. */
  onRotated?: (() => void | Promise<void>) | undefined
}

/** What the operator can see of, and do with, the daemon's own identity. */
export function createIdentityKeeper(deps: IdentityKeeperDeps) {
  const { self, identity, store, clock, replicator, onRotated } = deps
  const inTurn = createInTurn()

  const report = () => ({
    agentId: self.agentId,
    fingerprint: identity.keyId,
    publicKey: identity.publicKey,
    rotations: identity.rotations.length,
  })

  /** Waits for what is on its way to the disk: a claim may have been made while the next key was in use. */
  const maySpeak = (keyId: string): Promise<boolean> =>
    store.commit((view) => ({ result: speakingRightsOf(view, keyId).length > 0 })).catch(() => true)

  /**
   * The next key is on disk before the first statement names it; the old key stays until the last statement that
   * needs it is written.
   */
  async function rotate(): Promise<void> {
    assertCanHandOver(store.view, identity.keyId)
    const to = await identity.makeNext()
    const from = identity.keyId
    try {
      while (!(await handOverNow(from))) {}
    } catch (error) {
      // A rotation that was refused must not be completed at the next start.
      const isRefused = Fault.from(error).kind !== 'outcome_unknown'
      if (isRefused && !(await maySpeak(to.keyId))) await identity.forgetNext()
      throw error
    }
    await identity.rotate(self.agentId)
    // A link that connects anew presents the new key, and the peer then looks up the rotation.
    for (const peer of store.view.peers.oldestFirst()) replicator.meet(peer)
    await onRotated?.()

    /** False where something was claimed with the old key after the proofs were made. */
    async function handOverNow(old: string): Promise<boolean> {
      const proofs = new Map(
        await Promise.all(
          speakingRightsOf(store.view, old).map(async (voice) => {
            const text = proofFor(voice)
            return [text, await identity.signText(text, to.keyId)] as const
          }),
        ),
      )
      let takeBack: () => void = () => {}
      const written = store.commit((view) => {
        const env = { now: clock.now(), newNonce: clock.newNonce }
        const says = handOver(view, { from: old, to, proofs }, env)
        return { result: says !== undefined, says: says ?? [], local: endingAllSessions(view) }
      })
      // Switched in the same turn as the decision above: every later statement is signed with the new key.
      if (speakingRightsOf(store.view, old).length === 0) takeBack = identity.takeNext()
      try {
        return await written
      } catch (error) {
        takeBack()
        throw error
      }
    }
  }

  return {
    report,
    rotate: () => inTurn(rotate).then(report),
    /**
     * Completes a rotation that a crash interrupted: the next key exists, and statements may have been signed with it
     * already.
     */
    finish: (): Promise<void> => (identity.next === undefined ? Promise.resolve() : inTurn(rotate)),
  }
}
