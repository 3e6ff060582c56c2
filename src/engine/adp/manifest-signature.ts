import type { PublicKey } from '../../domain/trust/trust.ts'
import { type ReadManifest, signatureIn } from '../../protocol/agent/adp.ts'
import { followRotations } from '../peers/pin-successor.ts'
import type { VerifyBytes, VerifySignature } from '../ports/ports.ts'

/** Whether the current key that a manifest names has signed it. */
export type ManifestSignature = 'valid' | 'invalid' | 'none'

export function signatureOf({ manifest, signedText }: ReadManifest, verify: VerifyBytes): ManifestSignature {
  const key = signingKeyOf({ manifest })
  if (manifest.signature == null || key === undefined) return 'none'
  const signature = signatureIn(manifest.signature)
  const isValid = signature !== undefined && verify(new TextEncoder().encode(signedText), key, signature)
  return isValid ? 'valid' : 'invalid'
}

export function signingKeyOf({ manifest }: Pick<ReadManifest, 'manifest'>): PublicKey | undefined {
  const x = manifest.security?.signingKeys?.current
  return x === undefined ? undefined : keyOf(x)
}

/** Whether the rotations in a manifest lead from this key to its current one. */
export async function leadsFrom(
  from: string,
  { manifest }: ReadManifest,
  verify: VerifySignature,
): Promise<boolean> {
  const rotations = manifest.metadata?.cacpd?.rotations ?? []
  const { x } = await followRotations(keyOf(from), { agentId: manifest.aid, rotations, verify })
  return x === manifest.security?.signingKeys?.current
}

const keyOf = (x: string): PublicKey => ({ kty: 'OKP', crv: 'Ed25519', x })
