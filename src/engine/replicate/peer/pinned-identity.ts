import { isSameKey, keyIdOf } from '../../../domain/trust/key-id.ts'
import { isProofOf, PROOF_PATH, PROOF_TYP } from '../../../domain/trust/proof.ts'
import type { IdentityInCard } from '../../../domain/trust/rotation.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import { Fault } from '../../../protocol/fault.ts'
import { jsonIn } from '../../../protocol/json/in.ts'
import { isJsonObject } from '../../../protocol/json/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { Parts } from '../../parts.ts'
import { createSuccessors } from '../../peers/pin-successor.ts'

interface PinDeps extends Pick<Parts, 'store' | 'verify' | 'newSecret'> {
  /** Called when another key was pinned for a peer. */
  readonly onPinned: () => void
}

/**
 * Why a peer is not the one that was paired with; undefined when it is, or never showed who it is.
 * `ask` gets a public document of it.
 */
export type DoubtIdentity = (
  agentId: string,
  shown: IdentityInCard | null,
  ask: (path: string) => Promise<string>,
) => Promise<Fault | undefined>

/**
 * Compares the key in a peer's card with the one that is pinned, and has the peer prove that it holds it: anybody
 * can copy a card. Another key is pinned in its place when the old one vouched for it, directly or through those
 * in between.
 */
export function createDoubtIdentity({ store, verify, newSecret, onPinned }: PinDeps): DoubtIdentity {
  const successors = createSuccessors({ store, verify })
  return async (agentId, shown, ask) => {
    const { identity: pinned, former_keys = [] } = store.view.peers.get(agentId) ?? {}
    if (pinned === undefined) return undefined
    if (shown === null) return stranger(`shows no key, and ${keyIdOf(pinned)} is pinned`)
    if (!isSameKey(shown.key, pinned) && !(await successors.leadTo(shown, pinned, agentId)))
      return stranger(
        `shows the key ${keyIdOf(shown.key)}, for which the pinned key ${keyIdOf(pinned)} does not vouch`,
      )
    if (!isSameKey(shown.key, pinned) && former_keys.length >= LIMITS.formerKeys)
      return stranger(`shows another key, after ${LIMITS.formerKeys} that it has replaced`)
    if (!(await isProven(agentId, shown.key, ask)))
      return stranger(`shows the key ${keyIdOf(shown.key)}, but it cannot prove that it has it`)
    if (!isSameKey(shown.key, pinned)) {
      await successors.pin(agentId, pinned, shown.key)
      onPinned()
    }
    return undefined
  }

  async function isProven(agentId: string, key: PublicKey, ask: (path: string) => Promise<string>) {
    const challenge = newSecret()
    const proof = proofIn(await ask(`${PROOF_PATH}/${challenge}`))
    const claims = proof === undefined ? undefined : await verify(proof, key, PROOF_TYP)
    return claims !== undefined && isProofOf(claims, agentId, challenge)
  }
}

function proofIn(text: string): string | undefined {
  const answer = jsonIn(text)
  return isJsonObject(answer) && typeof answer['proof'] === 'string' ? answer['proof'] : undefined
}

const stranger = (what: string): Fault =>
  new Fault('forbidden', `A stranger answers there: its card ${what}`, {
    next: 'If its operator replaced the identity, pair again: `cacpd invite --replace` there or here, then `cacpd join`',
  })
