import { keyIdOf } from '../domain/trust/key-id.ts'
import type { PublicKey } from '../domain/trust/trust.ts'

/** GET /.well-known/jwks.json: the keys that verify what this daemon signed. */
export function keySet(keys: readonly PublicKey[]) {
  return { keys: keys.map((key) => ({ ...key, kid: keyIdOf(key), use: 'sig', alg: 'EdDSA' })) }
}
