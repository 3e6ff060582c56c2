import { KNOWN_TYP } from '../../../src/domain/trust/trust.ts'
import { KNOWN_TOKEN_SECONDS } from '../../../src/engine/adp/known-agents.ts'
import type { Clock, Identity } from '../../../src/engine/ports/ports.ts'
import { epochSeconds } from '../../../src/protocol/stamp.ts'

/** Proves to one other agent, once, that this one is who the exchange knows by that name. Sent as Bearer. */
export function signKnownToken(
  { identity, clock }: { identity: Identity; clock: Clock },
  { agentId, audience }: { agentId: string; audience: string },
): Promise<string> {
  const iat = epochSeconds(clock.now())
  const claims = { iss: agentId, sub: agentId, aud: audience, iat, exp: iat + KNOWN_TOKEN_SECONDS }
  return identity.sign({ ...claims, jti: clock.newId() }, KNOWN_TYP)
}
