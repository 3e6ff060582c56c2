import * as z from 'zod'
import { isJsonObject, type JsonObject } from '../../protocol/json/json.ts'
import { PublicKeyShape } from '../statements/shared-fields.ts'
import type { PublicKey } from './trust.ts'

/** One key of a daemon vouches for the next: a JWS of this type, signed by the replaced key. */
export const ROTATION_TYP = 'cacpd-rotation+jwt'

/** Most rotations in a card: a peer that missed more has to be invited again. */
export const MOST_ROTATIONS = 32

export interface IdentityInCard {
  readonly key: PublicKey
  /** Oldest first. */
  readonly rotations: readonly string[]
}

/** Null if a card has no valid identity. */
export function readIdentityInCard(value: unknown): IdentityInCard | null {
  if (!isJsonObject(value)) return null
  const key = readPublicKey(value['key'])
  const rotations = Array.isArray(value['rotations']) ? value['rotations'].slice(-MOST_ROTATIONS) : []
  return key === undefined ? null : { key, rotations: rotations.filter((one) => typeof one === 'string') }
}

/** The key that replaces `old` according to the claims of `agentId`. */
export function successorIn(claims: JsonObject, agentId: string, old: PublicKey): PublicKey | undefined {
  const isAboutOld = claims['iss'] === agentId && readPublicKey(claims['old'])?.x === old.x
  return isAboutOld ? readPublicKey(claims['new']) : undefined
}

/** Drops all fields that are not part of the key. */
export const PublicKeyFields = z.object(PublicKeyShape.shape)

const readPublicKey = (value: unknown): PublicKey | undefined => PublicKeyFields.safeParse(value).data
