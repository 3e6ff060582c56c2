import { ROTATION_TYP, successorIn } from '../../domain/rotation.ts'
import type { PublicKey } from '../../domain/trust.ts'
import { type ReadManifest, signatureIn } from '../../protocol/adp.ts'
import type { VerifyBytes, VerifySignature } from '../ports.ts'

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

/** Whether the statements in a manifest lead from this key to its current one. */
export async function leadsFrom(
  from: string,
  { manifest }: ReadManifest,
  verify: VerifySignature,
): Promise<boolean> {
  let trusted = keyOf(from)
  for (const statement of manifest.metadata?.cacpd?.rotations ?? []) {
    const claims = await verify(statement, trusted, ROTATION_TYP)
    trusted = (claims && successorIn(claims, manifest.aid, trusted)) ?? trusted
  }
  return trusted.x === manifest.security?.signingKeys?.current
}

const keyOf = (x: string): PublicKey => ({ kty: 'OKP', crv: 'Ed25519', x })
