import { HUB_CARD_TYP, type HubCard, toldCapabilities } from '../../domain/hub/card.ts'
import { HUB_TROUBLES, type HubTrouble, troubleIn } from '../../domain/hub/trouble.ts'
import { twice } from '../../domain/peers/duplicate-daemons.ts'
import { isSameKey } from '../../domain/trust/key-id.ts'
import { MOST_ROTATIONS } from '../../domain/trust/rotation.ts'
import { Fault } from '../../protocol/fault.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'
import type { CardPlace } from '../ports/hub-rooms.ts'
import { repeat } from '../timing/repeat.ts'
import { readCardOf } from './read-card.ts'

interface OwnCardDeps extends Pick<Parts, 'self' | 'identity' | 'verify' | 'clock' | 'timers'> {
  readonly capabilities?: readonly string[] | undefined
  bootId(): string
}

/** Whoever looks sees by it who was on the hub within the last minutes. */
const EVERY_MILLIS = 3 * 60_000

export type OwnCard = ReturnType<typeof createOwnCard>

/** Keeps the card of this daemon on the hub, and notices when another daemon keeps one of the same identity there. */
export function createOwnCard(deps: OwnCardDeps) {
  const { self, identity, verify, clock, timers, capabilities = [], bootId } = deps
  let here: CardPlace | undefined
  let repeating: AsyncDisposable | undefined
  /** When the card that was put last was made. */
  let putAt: Stamp | undefined
  let trouble: HubTrouble | undefined
  let isTwice: HubTrouble | undefined

  return {
    /** The connection from now on; undefined while there is none. */
    async use(place: CardPlace | undefined): Promise<void> {
      here = place
      const before = repeating
      repeating = undefined
      await before?.[Symbol.asyncDispose]()
      if (place === undefined || here !== place) return
      repeating = repeat(timers, EVERY_MILLIS, () => put(place))
      await put(place)
    },

    /** The key was replaced: whoever knows the old one finds the new one here. */
    async renew(): Promise<void> {
      if (here !== undefined) await put(here)
    },

    troubles: (): readonly HubTrouble[] => [trouble, isTwice].filter((one) => one !== undefined),
  }

  /** Never throws: what fails is told by the status, and tried again. */
  async function put(place: CardPlace): Promise<void> {
    try {
      if (putAt !== undefined) await look(place, putAt)
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
      putAt = card.at
      trouble = undefined
    } catch (error) {
      trouble = troubleIn(Fault.from(error), clock.now())
    }
  }

  async function look(place: CardPlace, lastPutAt: Stamp): Promise<void> {
    const card = await readCardOf(self.agentId, place, verify)
    const isOfTwin =
      card !== undefined &&
      isSameKey(card.publicKey, identity.publicKey) &&
      card.bootId !== bootId() &&
      card.at > lastPutAt
    if (!isOfTwin) isTwice = undefined
    else
      isTwice ??= {
        kind: 'twice',
        message: `${twice(self.agentId).message}, and both keep a card on the hub`,
        next: HUB_TROUBLES.twice.next,
        since: clock.now(),
      }
  }
}
