import { decodeJwt } from 'jose'
import * as z from 'zod'
import { KNOWN_TYP, type PublicKey } from '../../domain/trust/trust.ts'
import { useToken } from '../../domain/trust/used-token.ts'
import { Aid } from '../../protocol/agent/aid.ts'
import { dropOldest } from '../../protocol/collections/drop-oldest.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import type { AdpExchange, Clock, KnownAgents, Store, VerifyBytes, VerifySignature } from '../ports/ports.ts'
import { signatureOf, signingKeyOf } from './manifest-signature.ts'

/** The longest lifetime of a token by which an agent proves that it is registered. */
export const KNOWN_TOKEN_SECONDS = 300

export interface KnownAgentsDeps {
  exchange: Pick<AdpExchange, 'get'>
  verify: VerifySignature
  verifyBytes: VerifyBytes
  /** Remembers used tokens across restarts. */
  store: Pick<Store, 'commit'>
  clock: Clock
  rules?: typeof KNOWN_RULES
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

interface CachedKey {
  readonly key: PublicKey | undefined
  readonly at: number
}

/**
 * Recognizes agents that are registered with the exchange and prove it with the key of their manifest. The keys are
 * cached for a while, hits and misses in bounded maps.
 */
export function createKnownAgents(deps: KnownAgentsDeps): KnownAgents {
  const { exchange, verify, verifyBytes, store, clock, rules = KNOWN_RULES } = deps
  const hits = new Map<string, CachedKey>()
  /** Kept apart, so that lookups of unknown names cannot displace known ones. */
  const misses = new Map<string, CachedKey>()
  const lookups = new Map<string, Promise<PublicKey | undefined>>()
  const now = () => epochSeconds(clock.now())

  return {
    async verify(jwt, audience) {
      const claimed = claimsIn(jwt)
      // Checked before the signature, because the exchange need not be asked about a token that cannot be valid here.
      if (claimed === undefined || claimed.aud !== audience || claimed.iss === audience) return undefined
      if (!isTimely(claimed)) return undefined
      const isSigned = await signedBy(await keyOf(claimed.iss))
      if (!isSigned && !(await signedBy(await keyNowOf(claimed.iss)))) return undefined
      return isTimely(claimed) && (await isFirstUse(claimed)) ? { agentId: claimed.iss } : undefined

      async function signedBy(key: PublicKey | undefined): Promise<boolean> {
        return key !== undefined && (await verify(jwt, key, KNOWN_TYP)) !== undefined
      }
    },
  }

  function isTimely({ iat, exp }: Claims): boolean {
    return iat <= now() + rules.skewSeconds && exp > now()
  }

  function isFirstUse(token: Claims): Promise<boolean> {
    return store.commit((view) => useToken(view, token, { now: clock.now(), most: rules.mostUsed }))
  }

  /** Undefined when the exchange has no signed manifest of this agent, or cannot be asked now. */
  async function keyOf(aid: string): Promise<PublicKey | undefined> {
    const hit = hits.get(aid)
    if (hit !== undefined && now() - hit.at < rules.keepSeconds) return hit.key
    const miss = misses.get(aid)
    return miss !== undefined && now() - miss.at < rules.keepMissSeconds ? undefined : lookUp(aid)
  }

  /** Looks the key up again, because it may have been replaced. Undefined when it was looked up only recently. */
  async function keyNowOf(aid: string): Promise<PublicKey | undefined> {
    const hit = hits.get(aid)
    return hit === undefined || now() - hit.at < rules.againSeconds ? undefined : lookUp(aid)
  }

  /** Callers that ask for the same agent share one lookup, and the number of lookups at once is limited. */
  function lookUp(aid: string): Promise<PublicKey | undefined> {
    const running = lookups.get(aid)
    if (running !== undefined) return running
    if (lookups.size >= rules.mostLookups) return Promise.resolve(undefined)
    const lookup = fetchKey(aid).finally(() => lookups.delete(aid))
    lookups.set(aid, lookup)
    return lookup
  }

  async function fetchKey(aid: string): Promise<PublicKey | undefined> {
    const agent = await exchange.get(aid).catch(() => undefined)
    const isProven = agent?.isVerified === true && signatureOf(agent, verifyBytes) === 'valid'
    const key = isProven ? signingKeyOf(agent) : undefined
    hits.delete(aid)
    misses.delete(aid)
    const list = key === undefined ? misses : hits
    list.set(aid, { key, at: now() })
    dropOldest(list, rules.mostKept)
    return key
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
