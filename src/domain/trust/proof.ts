import type { JsonObject } from '../../protocol/json/json.ts'

/** Proves that a daemon has the key in its agent card: a JWS of this type over a challenge by the caller. */
export const PROOF_TYP = 'cacpd-proof+jwt'

export const PROOF_PATH = '/.well-known/cacpd-proof'

/** Long enough that nobody can guess it. */
export const CHALLENGE = /^[A-Za-z0-9_-]{22,64}$/

interface Proof {
  readonly agentId: string
  readonly challenge: string
  /** The endpoint that the daemon says it has. */
  readonly endpoint: string
  /** The address at which it was asked. */
  readonly address: string
  readonly iat: number
}

export function proofClaims({ agentId, challenge, endpoint, address, iat }: Proof): JsonObject {
  return { iss: agentId, aud: challenge, endpoint, address, iat }
}

export function isProofOf(claims: JsonObject, agentId: string, challenge: string): boolean {
  return claims['iss'] === agentId && claims['aud'] === challenge
}

/**
 * Whether the proof was made at the far end of an unencrypted connection. Otherwise a program that took over the
 * daemon's old port could ask the daemon at its new place and pass on the proof. The address distinguishes programs
 * that share a port and a name, as on 127.0.0.1 and ::1.
 */
export function isProofFrom(claims: JsonObject, far: { address: string; port: number }): boolean {
  const { endpoint, address } = claims
  return typeof endpoint === 'string' && portOf(endpoint) === far.port && address === far.address
}

function portOf(endpoint: string): number | undefined {
  if (!URL.canParse(endpoint)) return undefined
  const { protocol, port } = new URL(endpoint)
  if (protocol !== 'http:') return undefined
  return port === '' ? 80 : Number(port)
}
