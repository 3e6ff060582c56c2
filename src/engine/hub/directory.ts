import type { HubCard } from '../../domain/hub/card.ts'
import type { Stamp } from '../../protocol/stamp.ts'
import type { Parts } from '../parts.ts'
import type { CardPlace } from '../ports/hub-rooms.ts'
import { readHubCard } from './read-card.ts'

/** More are not read: whoever looks for one among more names it. */
const MOST_CARDS = 1000
const READ_MILLIS = 5000
/** A page that shows them asks often. */
const KEPT_MILLIS = 10_000

interface SeenCard extends HubCard {
  /** When the hub stored it, by the clock of the hub. */
  readonly storedAt: Stamp
}

export type Directory = ReturnType<typeof createDirectory>

/** Who is on the hub. It is read when somebody asks, so that it costs nothing how many there are. */
export function createDirectory({ verify, timers }: Pick<Parts, 'verify' | 'timers'>) {
  let here: CardPlace | undefined
  let seen: { readonly until: number; readonly cards: Promise<readonly SeenCard[]> } | undefined

  return {
    get isConnected(): boolean {
      return here !== undefined
    },

    use(place: CardPlace | undefined): void {
      here = place
      seen = undefined
    },

    list,

    /** Read anew, because somebody decides on it. */
    async meant(word: string): Promise<SeenCard | undefined> {
      seen = undefined
      const cards = await list()
      const meant = cards.filter(({ agentId, repo }) => agentId === word || repo === word)
      return meant.find(({ agentId }) => agentId === word) ?? (meant.length === 1 ? meant[0] : undefined)
    },
  }

  /** Empty where there is no hub, or it does not answer. */
  function list(): Promise<readonly SeenCard[]> {
    if (here === undefined) return Promise.resolve([])
    if (seen === undefined || seen.until < timers.millis())
      seen = { until: timers.millis() + KEPT_MILLIS, cards: read(here) }
    return seen.cards
  }

  async function read({ org, cards }: CardPlace): Promise<readonly SeenCard[]> {
    const late = new AbortController()
    const cancel = timers.after(READ_MILLIS, () => late.abort())
    try {
      const found: SeenCard[] = []
      for (const kept of await cards.list(MOST_CARDS, late.signal)) {
        const card = await readHubCard(kept, { org, verify })
        if (card !== undefined) found.push({ ...card, storedAt: kept.at })
      }
      return found
    } catch {
      return []
    } finally {
      cancel()
    }
  }
}
