import { ROTATION_TYP, successorIn } from '../../domain/trust/rotation.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { VerifySignature } from '../ports/ports.ts'

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
