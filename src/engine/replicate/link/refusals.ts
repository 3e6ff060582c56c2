import type { Refusal, Refused } from '../../../domain/delivery/refused.ts'
import { dropOldest } from '../../../protocol/collections/drop-oldest.ts'
import { getOrAdd } from '../../../protocol/collections/get-or-add.ts'
import type { Clock } from '../../ports/ports.ts'

interface Noted extends Omit<Refusal, 'since'> {
  /** Whether this very text is never taken. */
  readonly isLasting?: boolean
}

interface OfPeer {
  /** Whether each of those that are known by their id lasts. */
  readonly known: Map<string, boolean>
  /** How many there are besides. */
  others: number
  readonly newest: Map<string, Refusal>
}

/** Of one peer: those that are told with their reason, and those whose ids are known. */
const MOST_TOLD = 100
const MOST_KNOWN = 20_000

/** What was not taken of each peer, or by it, and why: the newest, and how many in all. Never a reason to stop. */
export class Refusals {
  readonly #clock: Pick<Clock, 'now'>
  readonly #byPeer = new Map<string, OfPeer>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** One that is sent again is the same refusal. */
  note(agentId: string, { id, reason, isLasting = false }: Noted): void {
    const ofPeer = this.#of(agentId)
    const since = ofPeer.newest.get(id)?.since ?? this.#clock.now()
    count(ofPeer, id, isLasting)
    tell(ofPeer, { id, reason: reason.slice(0, 300), since })
  }

  /** It was taken after all. That another text of the same id was refused stays to be seen. */
  takeBack(agentId: string, id: string): void {
    const ofPeer = this.#byPeer.get(agentId)
    if (ofPeer?.known.get(id) !== false) return
    ofPeer.known.delete(id)
    ofPeer.newest.delete(id)
  }

  /** It is still refused as it was, if it was noted there. */
  takeOver(agentId: string, id: string, from: Refusals): void {
    const before = from.#byPeer.get(agentId)
    const isLasting = before?.known.get(id)
    if (isLasting === undefined) return
    const ofPeer = this.#of(agentId)
    count(ofPeer, id, isLasting)
    const told = before?.newest.get(id)
    if (told !== undefined) tell(ofPeer, told)
  }

  isEmpty(agentId: string): boolean {
    return this.#countOf(agentId) === 0
  }

  forget(agentId: string): void {
    this.#byPeer.delete(agentId)
  }

  /** As it was remembered. */
  restore(agentId: string, { count, newest }: Refused): void {
    const byId = new Map(newest.map((one) => [one.id, one]))
    const known = new Map(newest.map(({ id }) => [id, false]))
    this.#byPeer.set(agentId, { known, others: Math.max(0, count - known.size), newest: byId })
  }

  of(agentId: string): Refused {
    return { count: this.#countOf(agentId), newest: [...(this.#byPeer.get(agentId)?.newest.values() ?? [])] }
  }

  #countOf(agentId: string): number {
    const { known, others } = this.#byPeer.get(agentId) ?? NONE
    return known.size + others
  }

  #of(agentId: string): OfPeer {
    return getOrAdd(this.#byPeer, agentId, () => ({ known: new Map(), others: 0, newest: new Map() }))
  }
}

const NONE = { known: new Map(), others: 0 }

function count(ofPeer: OfPeer, id: string, isLasting: boolean): void {
  const { known } = ofPeer
  const before = known.get(id)
  if (before === undefined && known.size >= MOST_KNOWN) ofPeer.others++
  else known.set(id, isLasting || before === true)
}

function tell({ newest }: OfPeer, refusal: Refusal): void {
  newest.set(refusal.id, refusal)
  dropOldest(newest, MOST_TOLD)
}
