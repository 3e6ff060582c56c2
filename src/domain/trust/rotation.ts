import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import type { PublicKey } from './trust.ts'

/** How one key of a daemon vouches for the next: a JWS of this type, signed by the key that is given up. */
export const ROTATION_TYP = 'cacpd-rotation+jwt'

/** No card needs more: a peer that was away for longer than this has to be invited again. */
export const MOST_ROTATIONS = 32

/** Who a card says that it is of. */
export interface ShownIdentity {
  readonly key: PublicKey
  /** Oldest first. */
  readonly rotations: readonly string[]
}

/** Null when a card shows no identity, or nothing that could be one. */
export function readShownIdentity(value: unknown): ShownIdentity | null {
  if (!isJsonObject(value)) return null
  const key = readPublicKey(value['key'])
  const rotations = Array.isArray(value['rotations']) ? value['rotations'].slice(-MOST_ROTATIONS) : []
  return key === undefined ? null : { key, rotations: rotations.filter((one) => typeof one === 'string') }
}

/** The key that follows `old` if that is what the claims of `agentId` say. */
export function successorIn(claims: JsonObject, agentId: string, old: PublicKey): PublicKey | undefined {
  const isAboutOld = claims['iss'] === agentId && readPublicKey(claims['old'])?.x === old.x
  return isAboutOld ? readPublicKey(claims['new']) : undefined
}

/** 32 bytes in base64url, of which the last character has only four bits: each key can be written in one way only. */
export const KEY_BYTES = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/

/** Only what makes the key itself is kept. */
export function readPublicKey(value: unknown): PublicKey | undefined {
  if (!isJsonObject(value)) return undefined
  const { kty, crv, x } = value
  if (kty !== 'OKP' || crv !== 'Ed25519' || typeof x !== 'string' || !KEY_BYTES.test(x)) return undefined
  return { kty, crv, x }
}
