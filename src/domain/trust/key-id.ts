import { canonicalText } from '../../protocol/json/canonical.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import type { PublicKey } from './trust.ts'

const known = new WeakMap<PublicKey, string>()

/**
 * The RFC 7638 thumbprint of a key, which names it in URLs, headers and key sets. It is asked for with every statement
 * that is let in and every look at who may see it, so it is made once for each object: keys are never changed in place.
 */
export function keyIdOf(key: PublicKey): string {
  let id = known.get(key)
  if (id === undefined) {
    const { crv, kty, x } = key
    id = sha256(canonicalText({ crv, kty, x }), 'base64url')
    known.set(key, id)
  }
  return id
}

export const isSameKey = (a: PublicKey, b: PublicKey): boolean => a.x === b.x
