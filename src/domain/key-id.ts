import { sha256 } from '@noble/hashes/sha2.js'
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { canonicalText } from '../protocol/canonical.ts'
import type { PublicKey } from './trust.ts'

/** The RFC 7638 thumbprint of a key, which names it in URLs, headers and key sets. */
export function keyIdOf({ crv, kty, x }: PublicKey): string {
  const digest = sha256(utf8ToBytes(canonicalText({ crv, kty, x })))
  return btoa(String.fromCharCode(...digest))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export const isSameKey = (a: PublicKey, b: PublicKey): boolean => a.x === b.x
