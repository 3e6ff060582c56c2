import { ownManifest } from '../../domain/adp/own-manifest.ts'
import { readManifest } from '../../protocol/agent/adp.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Parts } from '../parts.ts'
import { createInTurn } from '../ports/in-turn.ts'
import type { AdpExchange } from '../ports/ports.ts'

interface RegistrationDeps extends Pick<Parts, 'self' | 'identity' | 'clock' | 'timers'> {
  exchange: Pick<AdpExchange, 'register'>
  /** How often the registration is renewed, because an exchange may drop agents that do not renew. */
  renewMillis: number
  /** The wait after a first failure; it doubles up to `renewMillis`. */
  retryMillis: number
  /** Called after every success and every failure. */
  tell: (outcome: Fault | undefined) => void
}

/** Keeps this daemon registered with the exchange. */
export function createRegistration(deps: RegistrationDeps) {
  const { self, exchange, identity, clock, timers, renewMillis, retryMillis, tell } = deps
  const inTurn = createInTurn()
  let failures = 0
  let isOver = false
  let cancel = () => {}

  return {
    register,
    renew,
    [Symbol.dispose](): void {
      isOver = true
      cancel()
    },
  }

  /** Registers, and from then on renews on its own. Throws when it fails; it is then tried again nevertheless. */
  function register(): Promise<void> {
    // A caller wants its current data registered, so it does not share a registration that is already running.
    return inTurn(attempt)
  }

  /** The same without waiting for it. */
  function renew(): void {
    register().catch(() => {})
  }

  async function attempt(): Promise<void> {
    cancel()
    if (isOver) return
    const failure = await send().then(() => undefined, Fault.from)
    failures = failure === undefined ? 0 : failures + 1
    const wait = failures === 0 ? renewMillis : Math.min(retryMillis * 2 ** (failures - 1), renewMillis)
    if (!isOver) cancel = timers.after(wait, renew)
    tell(failure)
    if (failure !== undefined) throw failure
  }

  async function send(): Promise<void> {
    for (;;) {
      const { keyId, publicKey: current, rotations } = identity
      const previous = identity.publicKeys().slice(1)
      const manifest = ownManifest(self, { current, previous, rotations }, clock.now())
      const { signedText } = readManifest(JSON.stringify(manifest))
      const signature = await identity.signBytes(new TextEncoder().encode(signedText))
      // The key may have been replaced meanwhile: then the new key signed a manifest that names the old one.
      if (identity.keyId === keyId)
        return exchange.register(signedText.replace(/}$/, `,"signature":"${signature}"}`))
    }
  }
}
