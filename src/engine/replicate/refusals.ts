import type { Refusal, Refused } from '../../domain/refused.ts'
import type { Clock } from '../ports.ts'

interface Noted extends Omit<Refusal, 'since'> {
  /** Whether this very text is never taken. */
  readonly isLasting?: boolean
}

interface OfPeer {
  count: number
  readonly newest: Map<string, Refusal>
  readonly lasting: Set<string>
}

/** Of one peer. */
const MOST_KEPT = 100

/** What was not taken of each peer, or by it, and why: the newest, and how many in all. Never a reason to stop. */
export class Refusals {
  readonly #clock: Pick<Clock, 'now'>
  readonly #byPeer = new Map<string, OfPeer>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** One that is sent again is the same refusal. */
  note(agentId: string, { id, reason, isLasting = false }: Noted): void {
    const known: OfPeer = this.#byPeer.get(agentId) ?? { count: 0, newest: new Map(), lasting: new Set() }
    this.#byPeer.set(agentId, known)
    const before = known.newest.get(id)
    if (before === undefined) known.count++
    const since = before?.since ?? this.#clock.now()
    known.newest.set(id, { id, reason: reason.slice(0, 300), since })
    if (isLasting) known.lasting.add(id)
    for (const oldest of known.newest.keys()) {
      if (known.newest.size <= MOST_KEPT) break
      known.newest.delete(oldest)
      known.lasting.delete(oldest)
    }
  }

  /** It was taken after all. That another text of the same id was refused stays to be seen. */
  takeBack(agentId: string, id: string): void {
    const known = this.#byPeer.get(agentId)
    if (known !== undefined && !known.lasting.has(id) && known.newest.delete(id)) known.count--
  }

  isEmpty(agentId: string): boolean {
    return (this.#byPeer.get(agentId)?.count ?? 0) === 0
  }

  forget(agentId: string): void {
    this.#byPeer.delete(agentId)
  }

  /** As it was remembered. */
  restore(agentId: string, { count, newest }: Refused): void {
    const byId = new Map(newest.map((one) => [one.id, one]))
    this.#byPeer.set(agentId, { count, newest: byId, lasting: new Set() })
  }

  of(agentId: string): Refused {
    const known = this.#byPeer.get(agentId)
    return { count: known?.count ?? 0, newest: [...(known?.newest.values() ?? [])] }
  }
}
