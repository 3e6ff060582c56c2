import { z } from 'zod'
import { KNOWN_TYP, type PublicKey } from '../../domain/trust/trust.ts'
import { useToken } from '../../domain/trust/used-token.ts'
import { Aid } from '../../protocol/agent/aid.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import type { AdpExchange, Clock, KnownAgents, Store, VerifyBytes, VerifySignature } from '../ports/ports.ts'
import { ManifestKeys } from './manifest-keys.ts'

/** How long a proof of being registered works at most. */
export const KNOWN_TOKEN_SECONDS = 300

export interface KnownAgentsDeps {
  exchange: Pick<AdpExchange, 'get'>
  verify: VerifySignature
  verifyBytes: VerifyBytes
  /** Remembers which tokens were used, also when this process has ended. */
  store: Pick<Store, 'commit'>
  clock: Clock
  rules?: KnownRules
}

export const KNOWN_RULES = {
  /** How long what the exchange said about an agent is believed. */
  keepSeconds: 300,
  /** The same where it knew nothing, or could not be asked. */
  keepMissSeconds: 30,
  /** A token that the key does not fit has the key looked up again, but not more often than this. */
  againSeconds: 10,
  /** Of each kind that are kept. */
  mostKept: 1000,
  /** That are looked up at once. Everybody can send a token in any name. */
  mostLookups: 8,
  /** Used tokens that are remembered until they end. */
  mostUsed: 10_000,
  /** By which two clocks may differ. */
  skewSeconds: 60,
}
export type KnownRules = typeof KNOWN_RULES

const Claims = z
  .object({
    iss: Aid,
    sub: z.string(),
    aud: z.string(),
    iat: z.number(),
    exp: z.number(),
    jti: z.string().min(1).max(200),
  })
  .refine(({ iss, sub }) => iss === sub)
  .refine(({ iat, exp }) => exp > iat && exp - iat <= KNOWN_TOKEN_SECONDS)
type Claims = z.output<typeof Claims>

/** Who is only registered with the exchange, and proves it by the key in the manifest. */
export function createKnownAgents(deps: KnownAgentsDeps): KnownAgents {
  const { verify, store, clock, rules = KNOWN_RULES } = deps
  const keys = new ManifestKeys({ ...deps, rules })

  return {
    async verify(jwt, audience) {
      const claimed = claimsIn(jwt)
      // Looked at before the signature: what cannot be valid here is not worth asking the exchange about.
      if (claimed === undefined || claimed.aud !== audience || claimed.iss === audience) return undefined
      if (!isTimely(claimed)) return undefined
      const isSigned = await signedBy(await keys.of(claimed.iss))
      if (!isSigned && !(await signedBy(await keys.again(claimed.iss)))) return undefined
      return isTimely(claimed) && (await isFirstUse(claimed)) ? { agentId: claimed.iss } : undefined

      async function signedBy(key: PublicKey | undefined): Promise<boolean> {
        return key !== undefined && (await verify(jwt, key, KNOWN_TYP)) !== undefined
      }
    },
  }

  function isTimely({ iat, exp }: Claims): boolean {
    const now = epochSeconds(clock.now())
    return iat <= now + rules.skewSeconds && exp > now
  }

  function isFirstUse(token: Claims): Promise<boolean> {
    return store.commit((view) => useToken(view, token, { now: clock.now(), most: rules.mostUsed }))
  }
}

/** What a token says of itself; its signature is not looked at. */
function claimsIn(jwt: string): Claims | undefined {
  if (jwt.length > 4096) return undefined
  const payload = jwt.split('.')[1] ?? ''
  try {
    const bytes = Uint8Array.from(atob(payload.replaceAll('-', '+').replaceAll('_', '/')), (byte) =>
      byte.charCodeAt(0),
    )
    return Claims.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).data
  } catch {
    return undefined
  }
}
