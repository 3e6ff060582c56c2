import type { ServerResponse } from 'node:http'
import type { Caller } from '../../domain/env.ts'
import { Fault } from '../../protocol/fault.ts'
import { createTokenBuckets, type TokenBuckets } from './token-buckets.ts'
import type { Visitor } from './visitor.ts'

/** Calls a minute; a sixth of it may come at once. */
export interface Rates {
  /** Of a caller with a key or a token of its own. */
  readonly ratePerKey: number
  /** Of everybody at one address together, and of those who need no key. */
  readonly ratePerAddress: number
  /** Of those at one address who show no key, or a wrong one. */
  readonly ratePerStranger: number
  /** The same for pairing and registering, where secrets could be guessed and places are few. */
  readonly ratePairing: number
}

export type RateLimits = ReturnType<typeof createRateLimits>

/** Who calls too often is told when to come again. The operator at this machine never is, except as a person. */
export function createRateLimits(rates: Rates, now: () => number = () => performance.now()) {
  const bucketsOf = (perMinute: number) =>
    createTokenBuckets(perMinute / 60_000, Math.max(10, perMinute / 6), now)
  const buckets: Readonly<Record<keyof Rates, TokenBuckets>> = {
    ratePerKey: bucketsOf(rates.ratePerKey),
    ratePerAddress: bucketsOf(rates.ratePerAddress),
    ratePerStranger: bucketsOf(rates.ratePerStranger),
    ratePairing: bucketsOf(rates.ratePairing),
  }

  function take(limit: keyof Rates, key: string, response: ServerResponse): void {
    const waitMillis = buckets[limit].take(key)
    if (waitMillis === 0) return
    const seconds = Math.ceil(waitMillis / 1000)
    response.setHeader('retry-after', seconds)
    throw new Fault('rate_limited', `Too many calls: ${SENTENCES[limit]}`, {
      next: `Come again in ${seconds} s, or ask the operator to raise ${limit}`,
      data: { limit, retryAfterSeconds: seconds },
    })
  }

  return {
    /** Before anything is known but where the call comes from. */
    arrive({ address, from }: Visitor, response: ServerResponse): void {
      // All local callers share one address: there it is decided when it is known who calls.
      if (from !== 'loopback') take('ratePerAddress', address, response)
    },
    /** When it is known who calls. */
    admit(caller: Caller, { address, from }: Visitor, response: ServerResponse): void {
      const { kind, agentId, person } = caller
      // A page that went wrong would call without end, which no command does.
      if (person !== undefined) take('ratePerKey', `person ${person.session}`, response)
      else if (kind === 'operator' && from === 'loopback') return
      else if (kind === 'anonymous') take('ratePerStranger', address, response)
      else if (kind === 'open') take('ratePerAddress', address, response)
      else take('ratePerKey', `${kind} ${agentId}`, response)
    },
    /** When the key it showed is none. */
    refuse: ({ address }: Visitor, response: ServerResponse): void =>
      take('ratePerStranger', address, response),
    /** At a door for which strangers need only be patient. */
    admitToPairing: ({ address }: Visitor, response: ServerResponse): void =>
      take('ratePairing', address, response),
  }
}

const SENTENCES: Readonly<Record<keyof Rates, string>> = {
  ratePerKey: 'this key has used up its share for now',
  ratePerAddress: 'your address has used up its share for now',
  ratePerStranger: 'your address has used up its share of calls without a valid key for now',
  ratePairing: 'your address has tried to pair or register too often',
}
