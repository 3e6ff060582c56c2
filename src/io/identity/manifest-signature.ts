import { createPublicKey, verify } from 'node:crypto'
import type { VerifyBytes } from '../../engine/ports/ports.ts'

/** A bare Ed25519 signature, as ADP manifests carry it. Every way in which it can be wrong is answered alike. */
export const verifyBytes: VerifyBytes = (bytes, key, signature) => {
  try {
    return verify(
      null,
      bytes,
      createPublicKey({ key: { ...key }, format: 'jwk' }),
      Buffer.from(signature, 'base64'),
    )
  } catch {
    return false
  }
}
