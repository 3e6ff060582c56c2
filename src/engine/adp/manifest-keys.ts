import type { PublicKey } from '../../domain/trust/trust.ts'
import { dropOldest } from '../../protocol/collections/drop-oldest.ts'
import { epochSeconds } from '../../protocol/stamp.ts'
import type { AdpExchange, Clock, VerifyBytes } from '../ports/ports.ts'
import type { KnownRules } from './known-agents.ts'
import { signatureOf, signingKeyOf } from './manifest-signature.ts'

export interface ManifestKeysDeps {
  exchange: Pick<AdpExchange, 'get'>
  verifyBytes: VerifyBytes
  clock: Clock
  rules: KnownRules
}

interface CachedKey {
  readonly key: PublicKey | undefined
  readonly at: number
}

/** The current signing keys of agents, from their manifests; cached for a while, hits and misses in bounded maps. */
export class ManifestKeys {
  readonly #deps: ManifestKeysDeps
  readonly #hits = new Map<string, CachedKey>()
  /** Kept apart, so that lookups of unknown names cannot displace known ones. */
  readonly #misses = new Map<string, CachedKey>()
  readonly #lookups = new Map<string, Promise<PublicKey | undefined>>()

  constructor(deps: ManifestKeysDeps) {
    this.#deps = deps
  }

  /** Undefined when the exchange has no signed manifest of this agent, or cannot be asked now. */
  async of(aid: string): Promise<PublicKey | undefined> {
    const { keepSeconds, keepMissSeconds } = this.#deps.rules
    const hit = this.#hits.get(aid)
    if (hit !== undefined && this.#age(hit) < keepSeconds) return hit.key
    const miss = this.#misses.get(aid)
    if (miss !== undefined && this.#age(miss) < keepMissSeconds) return undefined
    return this.#lookUp(aid)
  }

  /** Looks the key up again, because it may have been replaced. Undefined when it was looked up only recently. */
  async again(aid: string): Promise<PublicKey | undefined> {
    const kept = this.#hits.get(aid)
    return kept === undefined || this.#age(kept) < this.#deps.rules.againSeconds
      ? undefined
      : this.#lookUp(aid)
  }

  #age({ at }: CachedKey): number {
    return epochSeconds(this.#deps.clock.now()) - at
  }

  /** Callers that ask for the same agent share one lookup, and the number of lookups at once is limited. */
  #lookUp(aid: string): Promise<PublicKey | undefined> {
    const running = this.#lookups.get(aid)
    if (running !== undefined) return running
    if (this.#lookups.size >= this.#deps.rules.mostLookups) return Promise.resolve(undefined)
    const lookup = this.#fetch(aid).finally(() => this.#lookups.delete(aid))
    this.#lookups.set(aid, lookup)
    return lookup
  }

  async #fetch(aid: string): Promise<PublicKey | undefined> {
    const { exchange, verifyBytes, clock, rules } = this.#deps
    const agent = await exchange.get(aid).catch(() => undefined)
    const isProven = agent?.isVerified === true && signatureOf(agent, verifyBytes) === 'valid'
    const key = isProven ? signingKeyOf(agent) : undefined
    this.#hits.delete(aid)
    this.#misses.delete(aid)
    const list = key === undefined ? this.#misses : this.#hits
    list.set(aid, { key, at: epochSeconds(clock.now()) })
    dropOldest(list, rules.mostKept)
    return key
  }
}
