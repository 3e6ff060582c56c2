import type { Config } from '../config/config.ts'
import { createKnownAgents } from '../engine/adp/known-agents.ts'
import { createRegistration } from '../engine/adp/registration.ts'
import { verifyBytes, verifySignature } from '../io/identity/signature.ts'
import { systemTimers } from '../io/system/timers.ts'
import { classOfHost } from '../protocol/address-class.ts'
import { Fault } from '../protocol/fault.ts'
import type { Parts } from './parts.ts'

/** The wait after a failed registration; it doubles with every further one. */
const RETRY_MILLIS = 10_000

/**
 * What a daemon does with the configured exchange. Undefined without one: then nothing is called, and no code is loaded
 * for it.
 */
export async function openAdp(config: Config, { self, identity, store, clock, log, resolve }: Parts) {
  const { adpExchange: url, registerAdp, requireAdp, allowKnown } = config
  if (url === null) return undefined
  const { createAdpClient } = await import('../io/outbound/adp-client.ts')
  const exchange = createAdpClient({ url, timeoutMillis: config.adpCallSeconds * 1000, resolve })
  let isMissing = false
  const registration = createRegistration({
    self,
    exchange,
    identity,
    clock,
    timers: systemTimers,
    renewMillis: config.adpRenewHours * 3_600_000,
    retryMillis: RETRY_MILLIS,
    tell: (failure) => {
      if (failure !== undefined)
        log.warn({ reason: failure.message }, 'not registered with the exchange; it is tried again')
      else log[isMissing ? 'info' : 'debug']({ agentId: self.agentId }, 'registered with the exchange')
      isMissing = failure !== undefined
    },
  })
  const isWished = registerAdp || requireAdp
  return {
    access: { exchange, verifyBytes, isLocal: classOfHost(new URL(url).hostname) === 'loopback' },
    /** Undefined unless agents that are registered there may read. */
    known: allowKnown
      ? createKnownAgents({ exchange, verify: verifySignature, verifyBytes, store, clock })
      : undefined,
    /** Registers if that is configured. If it is required, throws when it fails; otherwise does not wait for it. */
    async register(): Promise<void> {
      if (requireAdp) await registration.register().catch(refuseToStart)
      else if (registerAdp) registration.renew()
    },
    /** Registers again because something has changed. */
    renew: () => {
      if (isWished) registration.renew()
    },
    [Symbol.asyncDispose]: () => {
      registration[Symbol.dispose]()
      return exchange.destroy()
    },
  }
}

function refuseToStart(failure: Fault): never {
  throw new Fault(failure.kind, `This daemon must be registered, and is not: ${failure.message}`, {
    next: failure.next ?? 'Start it with --register-adp instead of --require-adp to serve all the same',
  })
}
