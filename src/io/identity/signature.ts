import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { promisify } from 'node:util'
import { compactVerify } from 'jose'
import type { PublicKey } from '../../domain/trust/trust.ts'
import type { VerifySignature, VerifyText } from '../../engine/ports/ports.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'

/** The only algorithm that is made or taken here: one that a token may choose itself is one that it can misuse. */
export const ALGORITHM = 'EdDSA'

/** Nobody signs more than a few claims, and what comes from strangers is looked at whole. */
const MOST_CHARACTERS = 16 * 1024

/** A header that says more than these wants a key looked up, or a rule followed, that is not ours. */
const HEADERS: ReadonlySet<string> = new Set(['alg', 'typ', 'kid'])

/** Checks the signature alone. Every way in which it can be wrong is answered alike. */
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

/** Checked by another thread, so that thousands of them hold nobody up. Each signature can be written in one way only. */
export const verifyText: VerifyText = async (text, key, signature) => {
  const bytes = Buffer.from(signature, 'base64url')
  if (bytes.toString('base64url') !== signature) return false
  try {
    return await verifyInThread(null, Buffer.from(text), keyFor(key), bytes)
  } catch {
    return false
  }
}

/** Keys of those who say most. */
const MOST_KEYS = 1000
const keys = new Map<string, KeyObject>()

/** Reading a key takes about as long as checking a signature with it. */
function keyFor({ kty, crv, x }: PublicKey): KeyObject {
  const known = keys.get(x)
  if (known !== undefined) return known
  if (keys.size >= MOST_KEYS) keys.clear()
  const made = createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
  keys.set(x, made)
  return made
}
