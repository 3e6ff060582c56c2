import type { HubCard } from '../../domain/hub/card.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { CardPlace } from '../ports/hub-rooms.ts'
import type { Timers, VerifySignature } from '../ports/ports.ts'
import { readHubCard } from './read-card.ts'

/** More are not read: whoever looks for one among more names it. */
const MOST_CARDS = 1000
const READ_MILLIS = 5000
/** A page that shows them asks often. */
const KEPT_MILLIS = 10_000

export interface SeenCard extends HubCard {
  /** When the hub stored it, by the clock of the hub. */
  readonly storedAt: Stamp
}

interface DirectoryDeps {
  readonly verify: VerifySignature
  readonly timers: Timers
}

/** Who is on the hub. It is read when somebody asks, so that it costs nothing how many there are. */
export class Directory {
  readonly #deps: DirectoryDeps
  #place: CardPlace | undefined
  #seen: { readonly until: number; readonly cards: Promise<readonly SeenCard[]> } | undefined

  constructor(deps: DirectoryDeps) {
    this.#deps = deps
  }

  get isConnected(): boolean {
    return this.#place !== undefined
  }

  use(place: CardPlace | undefined): void {
    this.#place = place
    this.#seen = undefined
  }

  /** Empty where there is no hub, or it does not answer. */
  list(): Promise<readonly SeenCard[]> {
    const { timers } = this.#deps
    if (this.#place === undefined) return Promise.resolve([])
    if (this.#seen === undefined || this.#seen.until < timers.millis())
      this.#seen = { until: timers.millis() + KEPT_MILLIS, cards: this.#read(this.#place) }
    return this.#seen.cards
  }

  /** Read anew, because somebody decides on it. */
  async meant(word: string): Promise<SeenCard | undefined> {
    this.#seen = undefined
    const cards = await this.list()
    const meant = cards.filter(({ agentId, repo }) => agentId === word || repo === word)
    return meant.find(({ agentId }) => agentId === word) ?? (meant.length === 1 ? meant[0] : undefined)
  }

  async #read({ org, cards }: CardPlace): Promise<readonly SeenCard[]> {
    const { timers, verify } = this.#deps
    const late = new AbortController()
    const cancel = timers.after(READ_MILLIS, () => late.abort())
    try {
      const seen: SeenCard[] = []
      for (const kept of await cards.list(MOST_CARDS, late.signal)) {
        const card = await readHubCard(kept, { org, verify })
        if (card !== undefined) seen.push({ ...card, storedAt: kept.at })
      }
      return seen
    } catch {
      return []
    } finally {
      cancel()
    }
  }
}
