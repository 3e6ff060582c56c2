import type { JsonObject } from '../protocol/json.ts'

/** That a daemon has the key that its card shows: a JWS of this type over something that the asker made up. */
export const PROOF_TYP = 'cacpd-proof+jwt'

export const PROOF_PATH = '/.well-known/cacpd-proof'

/** As long as one that nobody can guess, and no longer than anybody needs. */
export const CHALLENGE = /^[A-Za-z0-9_-]{22,64}$/

export function proofClaims(agentId: string, challenge: string, iat: number): JsonObject {
  return { iss: agentId, aud: challenge, iat }
}

export function isProofOf(claims: JsonObject, agentId: string, challenge: string): boolean {
  return claims['iss'] === agentId && claims['aud'] === challenge
}
