import { KNOWN_TYP } from '../../domain/trust.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import type { Clock, Identity } from '../ports.ts'

/** How long a proof of being registered works at most. */
export const KNOWN_TOKEN_SECONDS = 300

/** Proves to one other agent, once, that this one is who the exchange knows by that name. Sent as Bearer. */
export function signKnownToken(
  { identity, clock }: { identity: Identity; clock: Clock },
  { agentId, audience }: { agentId: string; audience: string },
): Promise<string> {
  const iat = epochSeconds(clock.now())
  const claims = { iss: agentId, sub: agentId, aud: audience, iat, exp: iat + KNOWN_TOKEN_SECONDS }
  return identity.sign({ ...claims, jti: clock.newId() }, KNOWN_TYP)
}
