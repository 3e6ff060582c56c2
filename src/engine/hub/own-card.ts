import type { Self } from '../../domain/env.ts'
import { HUB_CARD_TYP, type HubCard, toldCapabilities } from '../../domain/hub/card.ts'
import { HUB_TROUBLES, type HubTrouble, troubleIn } from '../../domain/hub/trouble.ts'
import { twice } from '../../domain/peers/duplicate-daemons.ts'
import { isSameKey } from '../../domain/trust/key-id.ts'
import { MOST_ROTATIONS } from '../../domain/trust/rotation.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { CardPlace } from '../ports/hub-rooms.ts'
import type { Clock, RotatingIdentity, Timers, VerifySignature } from '../ports/ports.ts'
import { repeat } from '../timing/repeat.ts'
import { readCardOf } from './read-card.ts'

export interface OwnCardDeps {
  readonly self: Self
  readonly identity: RotatingIdentity
  readonly verify: VerifySignature
  readonly clock: Clock
  readonly timers: Timers
  readonly capabilities: readonly string[]
  bootId(): string
}

/** Whoever looks sees by it who was on the hub within the last minutes. */
const EVERY_MILLIS = 3 * 60_000

/** Keeps the card of this daemon on the hub, and notices when another daemon keeps one of the same identity there. */
export class OwnCard {
  readonly #deps: OwnCardDeps
  #place: CardPlace | undefined
  #repeating: AsyncDisposable | undefined
  /** When the card that was put last was made. */
  #putAt: Stamp | undefined
  #trouble: HubTrouble | undefined
  #twice: HubTrouble | undefined

  constructor(deps: OwnCardDeps) {
    this.#deps = deps
  }

  /** The connection from now on; undefined while there is none. */
  async use(place: CardPlace | undefined): Promise<void> {
    this.#place = place
    const before = this.#repeating
    this.#repeating = undefined
    await before?.[Symbol.asyncDispose]()
    if (place === undefined || this.#place !== place) return
    this.#repeating = repeat(this.#deps.timers, EVERY_MILLIS, () => this.put(place))
    await this.put(place)
  }

  /** The key was replaced: whoever knows the old one finds the new one here. */
  async renew(): Promise<void> {
    if (this.#place !== undefined) await this.put(this.#place)
  }

  troubles(): readonly HubTrouble[] {
    return [this.#trouble, this.#twice].filter((one) => one !== undefined)
  }

  /** Never throws: what fails is told by the status, and tried again. */
  async put(place: CardPlace): Promise<void> {
    const { self, identity, clock, capabilities, bootId } = this.#deps
    try {
      if (this.#putAt !== undefined) await this.#look(place, this.#putAt)
      const card: HubCard = {
        org: place.org,
        agentId: self.agentId,
        repo: self.repo,
        role: self.role,
        publicKey: identity.publicKey,
        rotations: identity.rotations.slice(-MOST_ROTATIONS),
        capabilities: toldCapabilities(capabilities),
        bootId: bootId(),
        at: clock.now(),
      }
      const claims = { ...card, publicKey: { ...card.publicKey }, rotations: [...card.rotations] }
      await place.cards.put(self.agentId, await identity.sign(claims, HUB_CARD_TYP))
      this.#putAt = card.at
      this.#trouble = undefined
    } catch (error) {
      this.#trouble = troubleIn(Fault.from(error), clock.now())
    }
  }

  async #look(place: CardPlace, putAt: Stamp): Promise<void> {
    const { self, identity, verify, clock, bootId } = this.#deps
    const card = await readCardOf(self.agentId, place, verify)
    const isOfTwin =
      card !== undefined &&
      isSameKey(card.publicKey, identity.publicKey) &&
      card.bootId !== bootId() &&
      card.at > putAt
    if (!isOfTwin) this.#twice = undefined
    else
      this.#twice ??= {
        kind: 'twice',
        message: `${twice(self.agentId).message}, and both keep a card on the hub`,
        next: HUB_TROUBLES.twice.next,
        since: clock.now(),
      }
  }
}
