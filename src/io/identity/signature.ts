import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { compactVerify } from 'jose'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { VerifyBytes, VerifySignature, VerifyText } from '../../engine/ports/ports.ts'
import { getOrAdd } from '../../protocol/collections/get-or-add.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'

/** The only algorithm that is used or accepted: a token that could choose its algorithm could misuse that. */
export const ALGORITHM = 'EdDSA'

/** More than any valid token has; input from strangers is bounded before it is parsed. */
const MOST_CHARACTERS = 16 * 1024

/** Other headers would ask for a key lookup or an extension, which are not supported. */
const HEADERS: ReadonlySet<string> = new Set(['alg', 'typ', 'kid'])

/** Checks the signature alone. Undefined for every kind of failure. */
export const verifySignature: VerifySignature = async (jws, key, typ) => {
  if (jws.length > MOST_CHARACTERS) return undefined
  try {
    const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: [ALGORITHM] })
    if (protectedHeader.typ !== typ || !Object.keys(protectedHeader).every((name) => HEADERS.has(name)))
      return undefined
    return claimsIn(payload)
  } catch {
    return undefined
  }
}

function claimsIn(payload: Uint8Array): JsonObject | undefined {
  const claims: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload))
  return isJsonObject(claims) ? claims : undefined
}

const verifyInThread = promisify(verify) as (
  algorithm: null,
  data: Uint8Array,
  key: KeyObject,
  signature: Uint8Array,
) => Promise<boolean>

/**
 * Verified on another thread, so that thousands of signatures do not block this one. Only the canonical base64url
 * form of a signature is accepted.
 */
export const verifyText: VerifyText = async (text, key, signature) => {
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.toString('base64url') !== signature) return false
  try {
    return await verifyInThread(null, Buffer.from(text), keyFor(key), bytes)
  } catch {
    return false
  }
}

const MOST_KEYS = 1000
const keys = new Map<string, KeyObject>()

/** Importing a key takes about as long as verifying a signature with it. */
function keyFor({ kty, crv, x }: PublicKey): KeyObject {
  if (keys.size > MOST_KEYS) keys.clear()
  return getOrAdd(keys, x, () => createPublicKey({ key: { kty, crv, x }, format: 'jwk' }))
}

/** Verifies a bare Ed25519 signature, as ADP manifests carry it. False also for malformed input. */
export const verifyBytes: VerifyBytes = (bytes, key, signature) => {
  try {
    return verify(null, bytes, keyFor(key), Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
