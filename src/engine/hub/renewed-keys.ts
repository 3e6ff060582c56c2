import { isSameKey } from '../../domain/trust/key-id.ts'
import type { PublicKey } from '../../domain/trust/trust.ts'
import { LIMITS } from '../../protocol/limits.ts'
import type { Parts } from '../parts.ts'
import { createSuccessors, type Successors } from '../peers/pin-successor.ts'
import type { CardPlace } from '../ports/hub-rooms.ts'
import type { Store, Timers } from '../ports/ports.ts'
import { readCardOf } from './read-card.ts'

interface RenewedKeysDeps extends Pick<Parts, 'verify'> {
  readonly store: Pick<Store, 'view' | 'commit'>
  readonly timers: Pick<Timers, 'millis'>
}

/** Anybody can have us look, by a call in the name of a peer. */
const SELDOM_MILLIS = 100

/** Follows approved peers to newer keys by their cards on the hub, if the pinned key vouches for the one in the card. */
export class RenewedKeys {
  readonly #deps: RenewedKeysDeps
  readonly #successors: Successors
  readonly #looked = new Map<string, { readonly at: number; readonly looking: Promise<void> }>()
  #place: CardPlace | undefined
  #onPinned: () => void = () => {}

  constructor(deps: RenewedKeysDeps) {
    this.#deps = deps
    this.#successors = createSuccessors(deps)
  }

  /** The connection from now on, and whom to tell that another key was pinned; undefined while there is none. */
  use(place: CardPlace | undefined, onPinned: () => void = () => {}): void {
    this.#place = place
    this.#onPinned = onPinned
    this.#looked.clear()
  }

  /** The key that is pinned after a look at the card; undefined for those who are not approved. Never throws. */
  async keyOf(agentId: string): Promise<PublicKey | undefined> {
    const { timers } = this.#deps
    const pinned = this.#pinned(agentId)
    if (pinned === undefined || this.#place === undefined) return pinned
    const now = timers.millis()
    const last = this.#looked.get(agentId)
    if (last === undefined || now - last.at >= SELDOM_MILLIS) {
      const looking = this.#follow(agentId, pinned, this.#place).catch(() => {})
      this.#looked.set(agentId, { at: now, looking })
    }
    await this.#looked.get(agentId)?.looking
    return this.#pinned(agentId)
  }

  #pinned(agentId: string): PublicKey | undefined {
    const peer = this.#deps.store.view.peers.get(agentId)
    return peer?.trust === 'approved' ? peer.identity : undefined
  }

  async #follow(agentId: string, pinned: PublicKey, place: CardPlace): Promise<void> {
    const { store, verify } = this.#deps
    const card = await readCardOf(agentId, place, verify)
    const { former_keys = [] } = store.view.peers.get(agentId) ?? {}
    if (card === undefined || isSameKey(card.publicKey, pinned)) return
    if (former_keys.length >= LIMITS.formerKeys) return
    const shown = { key: card.publicKey, rotations: card.rotations }
    if (!(await this.#successors.leadTo(shown, pinned, agentId))) return
    await this.#successors.pin(agentId, pinned, card.publicKey)
    this.#onPinned()
  }
}
