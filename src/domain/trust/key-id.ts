import { oncePer } from '../../protocol/collections/once-per.ts'
import { canonicalText } from '../../protocol/json/canonical.ts'
import { sha256 } from '../../protocol/text/sha256.ts'
import type { PublicKey } from './trust.ts'

/**
 * The RFC 7638 thumbprint of a key, which names it in URLs, headers and key sets. It is asked for with every statement
 * that is let in and every look at who may see it, so it is made once for each object.
 */
export const keyIdOf = oncePer(({ crv, kty, x }: PublicKey): string =>
  sha256(canonicalText({ crv, kty, x }), 'base64url'),
)

export const isSameKey = (a: PublicKey, b: PublicKey): boolean => a.x === b.x
