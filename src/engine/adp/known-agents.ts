import { decodeJwt } from 'jose'
import * as z from 'zod'
import { KNOWN_TYP, type PublicKey } from '../../domain/trust/trust.ts'
import { useToken } from '../../domain/trust/used-token.ts'
import { Aid } from '../../protocol/agent/aid.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import type { KnownAgents, Store, VerifySignature } from '../ports/ports.ts'
import { ManifestKeys, type ManifestKeysDeps } from './manifest-keys.ts'

/** The longest lifetime of a token by which an agent proves that it is registered. */
export const KNOWN_TOKEN_SECONDS = 300

export interface KnownAgentsDeps extends Omit<ManifestKeysDeps, 'rules'> {
  verify: VerifySignature
  /** Remembers used tokens across restarts. */
  store: Pick<Store, 'commit'>
  rules?: KnownRules
}

export const KNOWN_RULES = {
  /** How long an answer of the exchange about an agent is reused. */
  keepSeconds: 300,
  /** The same when it did not know the agent or could not be asked. */
  keepMissSeconds: 30,
  /** When a token does not match the known key, the key is looked up again, but not more often than this. */
  againSeconds: 10,
  /** How many hits, and how many misses, are kept. */
  mostKept: 1000,
  /** How many lookups may run at once, because anybody can send tokens in any name. */
  mostLookups: 8,
  /** How many used tokens are remembered until they expire. */
  mostUsed: 10_000,
  /** By how much two clocks may differ. */
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

/** Recognizes agents that are registered with the exchange and prove it with the key of their manifest. */
export function createKnownAgents(deps: KnownAgentsDeps): KnownAgents {
  const { verify, store, clock, rules = KNOWN_RULES } = deps
  const keys = new ManifestKeys({ ...deps, rules })

  return {
    async verify(jwt, audience) {
      const claimed = claimsIn(jwt)
      // Checked before the signature, because the exchange need not be asked about a token that cannot be valid here.
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

/** The claims of a token, without checking its signature. */
function claimsIn(jwt: string): Claims | undefined {
  if (jwt.length > 4096) return undefined
  try {
    return Claims.safeParse(decodeJwt(jwt)).data
  } catch {
    return undefined
  }
}
