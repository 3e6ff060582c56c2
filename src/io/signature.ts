import { compactVerify } from 'jose'
import type { VerifySignature } from '../engine/ports.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'

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
