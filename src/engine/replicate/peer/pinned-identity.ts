import type { Peer } from '../../../domain/model.ts'
import { isSameKey, keyIdOf } from '../../../domain/trust/key-id.ts'
import { isProofOf, PROOF_PATH, PROOF_TYP } from '../../../domain/trust/proof.ts'
import type { IdentityInCard } from '../../../domain/trust/rotation.ts'
import type { PublicKey } from '../../../domain/trust/trust.ts'
import { Fault } from '../../../protocol/fault.ts'
import { jsonIn } from '../../../protocol/json/in.ts'
import { isJsonObject } from '../../../protocol/json/json.ts'
import { LIMITS } from '../../../protocol/limits.ts'
import type { Parts } from '../../parts.ts'
import { followRotations } from '../../peers/follow-rotations.ts'

type PinDeps = Pick<Parts, 'store' | 'verify' | 'newSecret'>

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
export function createDoubtIdentity({ store, verify, newSecret }: PinDeps): DoubtIdentity {
  return async (agentId, shown, ask) => {
    const { identity: pinned, former_keys = [] } = store.view.peers.get(agentId) ?? {}
    if (pinned === undefined) return undefined
    if (shown === null) return stranger(`shows no key, and ${keyIdOf(pinned)} is pinned`)
    if (!isSameKey(shown.key, pinned) && !(await leadsTo(shown, pinned, agentId)))
      return stranger(
        `shows the key ${keyIdOf(shown.key)}, for which the pinned key ${keyIdOf(pinned)} does not vouch`,
      )
    // All of them are kept: what was confirmed or lost by one of its keys is so for the next.
    if (!isSameKey(shown.key, pinned) && former_keys.length >= LIMITS.formerKeys)
      return stranger(`shows another key, after ${LIMITS.formerKeys} that it has replaced`)
    if (!(await isProven(agentId, shown.key, ask)))
      return stranger(`shows the key ${keyIdOf(shown.key)}, but it cannot prove that it has it`)
    if (!isSameKey(shown.key, pinned)) await pin(agentId, pinned, shown.key)
    return undefined
  }

  async function leadsTo({ key, rotations }: IdentityInCard, from: PublicKey, agentId: string) {
    return isSameKey(await followRotations(from, { agentId, rotations, verify }), key)
  }

  async function isProven(agentId: string, key: PublicKey, ask: (path: string) => Promise<string>) {
    const challenge = newSecret()
    const proof = proofIn(await ask(`${PROOF_PATH}/${challenge}`))
    const claims = proof === undefined ? undefined : await verify(proof, key, PROOF_TYP)
    return claims !== undefined && isProofOf(claims, agentId, challenge)
  }

  /** Not over what was pinned meanwhile, as by pairing anew. */
  async function pin(agentId: string, from: PublicKey, to: PublicKey): Promise<void> {
    await store.commit((view) => {
      const peer = view.peers.get(agentId)
      if (peer?.identity === undefined || !isSameKey(peer.identity, from)) return { result: undefined }
      const former_keys = [keyIdOf(from), ...(peer.former_keys ?? [])]
      const value: Peer = { ...peer, identity: to, former_keys }
      return { result: undefined, local: [{ table: 'peer', id: agentId, value }] }
    })
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
