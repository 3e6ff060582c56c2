import { createPublicKey, verify } from 'node:crypto'
import type { VerifyBytes } from '../../engine/ports/ports.ts'

/** Verifies a bare Ed25519 signature, as ADP manifests carry it. False also for malformed input. */
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
