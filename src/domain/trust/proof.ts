import type { JsonObject } from '../../protocol/json/json.ts'

/** That a daemon has the key that its card shows: a JWS of this type over something that the asker made up. */
export const PROOF_TYP = 'cacpd-proof+jwt'

export const PROOF_PATH = '/.well-known/cacpd-proof'

/** As long as one that nobody can guess, and no longer than anybody needs. */
export const CHALLENGE = /^[A-Za-z0-9_-]{22,64}$/

export interface Proof {
  readonly agentId: string
  readonly challenge: string
  /** Where the daemon says that it is called. */
  readonly endpoint: string
  /** Where it was asked. */
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
 * Whether it was given at the far end of a connection in clear. Otherwise somebody who has the port that the
 * daemon had could ask the daemon, where it is now, and pass on what it says. The address tells apart those who
 * share a port and a name, as 127.0.0.1 and ::1 do.
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
