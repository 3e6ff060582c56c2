import { ownManifest } from '../../domain/adp/own-manifest.ts'
import type { Self } from '../../domain/env.ts'
import { readManifest } from '../../protocol/agent/adp.ts'
import { Fault } from '../../protocol/fault.ts'
import { createInTurn } from '../ports/in-turn.ts'
import type { AdpExchange, Clock, RotatingIdentity, Timers } from '../ports/ports.ts'

export interface RegistrationDeps {
  self: Self
  exchange: Pick<AdpExchange, 'register'>
  identity: RotatingIdentity
  clock: Clock
  timers: Timers
  /** How often the registration is renewed, because an exchange may drop agents that do not renew. */
  renewMillis: number
  /** The wait after a first failure; it doubles up to `renewMillis`. */
  retryMillis: number
  /** Called after every success and every failure. */
  tell: (outcome: Fault | undefined) => void
}

/** Keeps this daemon registered with the exchange. */
export class AdpRegistration implements Disposable {
  readonly #deps: RegistrationDeps
  readonly #inTurn = createInTurn()
  #failures = 0
  #isOver = false
  #cancel: () => void = () => {}

  constructor(deps: RegistrationDeps) {
    this.#deps = deps
  }

  /** Registers, and from then on renews on its own. Throws when it fails; it is then tried again nevertheless. */
  register(): Promise<void> {
    // A caller wants its current data registered, so it does not share a registration that is already running.
    return this.#inTurn(() => this.#attempt())
  }

  /** The same without waiting for it. */
  renew(): void {
    this.register().catch(() => {})
  }

  [Symbol.dispose](): void {
    this.#isOver = true
    this.#cancel()
  }

  async #attempt(): Promise<void> {
    this.#cancel()
    if (this.#isOver) return
    const failure = await this.#send().then(() => undefined, Fault.from)
    const { renewMillis, retryMillis, timers, tell } = this.#deps
    this.#failures = failure === undefined ? 0 : this.#failures + 1
    const wait =
      failure === undefined ? renewMillis : Math.min(retryMillis * 2 ** (this.#failures - 1), renewMillis)
    if (!this.#isOver) this.#cancel = timers.after(wait, () => this.renew())
    tell(failure)
    if (failure !== undefined) throw failure
  }

  async #send(): Promise<void> {
    const { exchange, identity, self, clock } = this.#deps
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
